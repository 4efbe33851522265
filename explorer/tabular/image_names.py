"""Names of images that two files write differently: endings, folders, blanks, capitals, forms of letters."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from explorer.core.word_lists import quantity

_ENDING = re.compile(r"(?:\.nii)?\.(?:png|jpe?g|dcm|dicom|tiff?|bmp|webp|gz|npy)$", re.IGNORECASE)
_FOLDER = re.compile(r"^.*[/\\]", re.DOTALL)
_SLASHES = re.compile(r"[/\\]+")
_FLOAT = re.compile(r"(\d+)\.0", re.ASCII)  # a whole number that a program took for one with decimals
_AROUND = " \t\r\n\"'()[],"  # what a program writes around a name

Shorten = Callable[[str], str]
Pairs = dict[str, str]


def _bare(name: str) -> str:
    return _ENDING.sub("", name)


def _last(name: str) -> str:
    return _FOLDER.sub("", name)


def _visible(name: str) -> str:
    """A name without what cannot be seen or is not part of it, its letters in one form."""
    shown = "".join(sign for sign in unicodedata.normalize("NFC", name) if unicodedata.category(sign) != "Cf")
    bare = shown.strip(_AROUND)
    number = _FLOAT.fullmatch(bare)
    return number[1] if number else bare


def _folded(name: str) -> str:
    return _visible(name).casefold()


_BLANKS = "without blanks around them"
_FORMS: tuple[tuple[str, Shorten], ...] = (
    (_BLANKS, str.strip),
    ("without invisible characters, quotes, decimals and forms of letters", _visible),
    ("in capitals or small letters alike", _folded),
)
_PARTS: tuple[tuple[str, Shorten], ...] = (
    ("", str),
    ("without file endings", _bare),
    ("without folders", _last),
    ("without folders and file endings", lambda name: _bare(_last(name))),
)
_TAILS = "by the ends of their paths"


@dataclass(frozen=True, slots=True)
class ImageNames:
    """`pairs` maps the name of an image in one file to its name in the other; `said` is how it was found."""

    pairs: Pairs
    said: str


def image_names(given: Collection[str], wanted: Collection[str], whose: str) -> ImageNames | None:
    """How the `given` names are those `wanted`, which are `whose`; None where they are compared as they stand.

    A difference is passed over only where more images are found so, and where no two images of a file become one.
    """
    there = set(wanted)
    most = sum(name in there for name in given)
    best: ImageNames | None = None
    for how, pairs in _ways(given, wanted):
        if most == min(len(there), len(given)):
            break
        if len(pairs) > most:
            most = len(pairs)
            found = quantity(most, "image")
            other = next(name for name, called in pairs.items() if name != called)
            shown = " is ".join(apart(other, pairs[other]))
            best = ImageNames(pairs, f"images are compared {how}: {shown} of {whose} ({found} found so)")
    return best


def _ways(given: Collection[str], wanted: Collection[str]) -> Iterator[tuple[str, Pairs]]:
    """How names may be compared, and what is found so; those that pass over less come first."""
    for form, tidy in _FORMS:
        for part, shorten in _PARTS:
            ours, theirs = (_once(names, tidy, shorten) for names in (given, wanted))
            how = part if form == _BLANKS and part else " and ".join(filter(None, (form, part)))
            if ours is not None and theirs is not None:
                yield how, {name: theirs[short] for short, name in ours.items() if short in theirs}
        how = _TAILS if form == _BLANKS else f"{form} and {_TAILS}"
        yield how, _by_tails(given, wanted, tidy)


def _once(names: Collection[str], tidy: Shorten, shorten: Shorten) -> Pairs | None:
    """Short name -> name; None where two names become one."""
    short = {shorten(tidy(name)): name for name in names}
    return short if len(short) == len(names) else None


def _by_tails(given: Collection[str], wanted: Collection[str], tidy: Shorten) -> Pairs:
    """Names that share more of the ends of their paths with each other than with any other name."""
    ours, theirs = ({name: _SLASHES.split(_bare(tidy(name))) for name in names} for names in (given, wanted))
    depths = [max(map(len, paths.values()), default=0) for paths in (ours, theirs)]
    pairs: Pairs = {}
    taken: set[str] = set()
    for depth in range(min(depths), 0, -1):
        here, there = (_only(paths, depth) for paths in (ours, theirs))
        for tail, name in here.items():
            other = there.get(tail)
            if other is not None and name not in pairs and other not in taken:
                pairs[name] = other
                taken.add(other)
    return pairs


def _only(paths: dict[str, list[str]], depth: int) -> dict[tuple[str, ...], str]:
    """The last folders and the name of a path -> its name, for those ends that one path alone has."""
    tails = {name: tuple(path[-depth:]) for name, path in paths.items() if len(path) >= depth}
    often = Counter(tails.values())
    return {tail: name for name, tail in tails.items() if often[tail] == 1}


def apart(one: str, other: str) -> tuple[str, str]:
    """Two names in quotes; where they look alike, with the codes of what differs."""
    alike = _visible(one) == _visible(other) and one.strip(_AROUND) != other.strip(_AROUND)
    return (ascii(one), ascii(other)) if alike else (repr(one), repr(other))


def look_alike(given: Collection[str], wanted: Collection[str]) -> str:
    """The first of the `given` names that is not one of those `wanted` but could be meant as one or several of them, in
    words; empty where there is none.
    """
    there = set(wanted)
    ends: dict[str, list[str]] = {}
    for name in wanted:
        ends.setdefault(_bare(_last(_folded(name))), []).append(name)
    for name in given:
        others = ends.get(_bare(_last(_folded(name))), []) if name not in there else []
        if len(others) > 1:
            either = f"{name!r} could be {others[0]!r} or {others[1]!r}"
            return f"{either}: write names with as many folders as tell them apart"
        if others:
            first, second = apart(name, others[0])
            return f"{first} is not {second}, which looks like it: write both alike"
    return ""


def zeros_lost(given: Collection[str], wanted: Collection[str]) -> bool:
    """Whether some of the `given` names are wanted ones that a spreadsheet took for numbers: 7 for 007."""
    there = set(wanted)
    cut = {name.lstrip("0") for name in there if name.startswith("0") and name.isdigit()}
    return any(name in cut and name not in there for name in given)
