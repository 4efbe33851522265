"""Matches image names that two files write differently: endings, folders, blanks, capitals, forms of letters."""

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
_FLOAT = re.compile(r"(\d+)\.0", re.ASCII)  # an integer that a program stored as a float
_AROUND = " \t\r\n\"'()[],"  # characters that programs write around a name

Shorten = Callable[[str], str]
NamePairs = dict[str, str]


def _without_ending(name: str) -> str:
    return _ENDING.sub("", name)


def _without_folders(name: str) -> str:
    return _FOLDER.sub("", name)


def _normalized(name: str) -> str:
    """Return a name without invisible and surrounding characters, in one Unicode form."""
    shown = "".join(sign for sign in unicodedata.normalize("NFC", name) if unicodedata.category(sign) != "Cf")
    bare = shown.strip(_AROUND)
    number = _FLOAT.fullmatch(bare)
    return number[1] if number else bare


def _folded(name: str) -> str:
    return _normalized(name).casefold()


_BLANKS = "without blanks around them"
_FORMS: tuple[tuple[str, Shorten], ...] = (
    (_BLANKS, str.strip),
    ("without invisible characters, quotes, decimals and forms of letters", _normalized),
    ("in capitals or small letters alike", _folded),
)
_PARTS: tuple[tuple[str, Shorten], ...] = (
    ("", str),
    ("without file endings", _without_ending),
    ("without folders", _without_folders),
    ("without folders and file endings", lambda name: _without_ending(_without_folders(name))),
)
_TAILS = "by the ends of their paths"


@dataclass(frozen=True, slots=True)
class ImageNames:
    """`pairs` maps image names of one file to those of the other; `note` says how they were matched."""

    pairs: NamePairs
    note: str


def image_names(given: Collection[str], wanted: Collection[str], whose: str) -> ImageNames | None:
    """Match the `given` names to the `wanted` ones, which belong to `whose`; None if no normalization helps.

    A difference is ignored only if that matches more images, and if no two names of one file become equal.
    """
    wanted_names = set(wanted)
    most = sum(name in wanted_names for name in given)
    best: ImageNames | None = None
    for how, pairs in _ways(given, wanted):
        if most == min(len(wanted_names), len(given)):
            break
        if len(pairs) > most:
            most = len(pairs)
            found = quantity(most, "image")
            other = next(name for name, match in pairs.items() if name != match)
            shown = " is ".join(quoted_names(other, pairs[other]))
            best = ImageNames(pairs, f"images are compared {how}: {shown} of {whose} ({found} found so)")
    return best


def _ways(given: Collection[str], wanted: Collection[str]) -> Iterator[tuple[str, NamePairs]]:
    """Yield descriptions and pairs of each way to compare names, the strictest first."""
    for form, tidy in _FORMS:
        for part, shorten in _PARTS:
            given_by_short, wanted_by_short = (_unique(names, tidy, shorten) for names in (given, wanted))
            how = part if form == _BLANKS and part else " and ".join(filter(None, (form, part)))
            if given_by_short is not None and wanted_by_short is not None:
                yield (
                    how,
                    {
                        name: wanted_by_short[short]
                        for short, name in given_by_short.items()
                        if short in wanted_by_short
                    },
                )
        how = _TAILS if form == _BLANKS else f"{form} and {_TAILS}"
        yield how, _by_tails(given, wanted, tidy)


def _unique(names: Collection[str], tidy: Shorten, shorten: Shorten) -> NamePairs | None:
    """Return shortened name -> name; None if two names become equal."""
    short = {shorten(tidy(name)): name for name in names}
    return short if len(short) == len(names) else None


def _by_tails(given: Collection[str], wanted: Collection[str], tidy: Shorten) -> NamePairs:
    """Return names that share a longer end of their paths with each other than with any other name."""
    given_paths, wanted_paths = (
        {name: _SLASHES.split(_without_ending(tidy(name))) for name in names} for names in (given, wanted)
    )
    depths = [max(map(len, paths.values()), default=0) for paths in (given_paths, wanted_paths)]
    pairs: NamePairs = {}
    matched: set[str] = set()
    for depth in range(min(depths), 0, -1):
        given_tails, wanted_tails = (_unique_tails(paths, depth) for paths in (given_paths, wanted_paths))
        for tail, name in given_tails.items():
            other = wanted_tails.get(tail)
            if other is not None and name not in pairs and other not in matched:
                pairs[name] = other
                matched.add(other)
    return pairs


def _unique_tails(paths: dict[str, list[str]], depth: int) -> dict[tuple[str, ...], str]:
    """Return path end -> name, for ends of this depth that only one path has."""
    tails = {name: tuple(path[-depth:]) for name, path in paths.items() if len(path) >= depth}
    often = Counter(tails.values())
    return {tail: name for name, tail in tails.items() if often[tail] == 1}


def quoted_names(one: str, other: str) -> tuple[str, str]:
    """Return two names in quotes; if they look alike, with the codes of the letters that differ."""
    looks_alike = _normalized(one) == _normalized(other) and one.strip(_AROUND) != other.strip(_AROUND)
    return (ascii(one), ascii(other)) if looks_alike else (repr(one), repr(other))


def look_alike(given: Collection[str], wanted: Collection[str]) -> str:
    """Return a sentence on the first of the `given` names that is not in `wanted` but resembles one or more of them.

    Empty if there is none.
    """
    wanted_names = set(wanted)
    ends: dict[str, list[str]] = {}
    for name in wanted:
        ends.setdefault(_without_ending(_without_folders(_folded(name))), []).append(name)
    for name in given:
        others = ends.get(_without_ending(_without_folders(_folded(name))), []) if name not in wanted_names else []
        if len(others) > 1:
            either = f"{name!r} could be {others[0]!r} or {others[1]!r}"
            return f"{either}: write names with enough folders to be unique"
        if others:
            first, second = quoted_names(name, others[0])
            return f"{first} is not {second}, which looks the same: write both alike"
    return ""


def zeros_lost(given: Collection[str], wanted: Collection[str]) -> bool:
    """Whether some `given` names are wanted ones that lost zeros in a spreadsheet: 7 for 007."""
    wanted_names = set(wanted)
    cut = {name.lstrip("0") for name in wanted_names if name.startswith("0") and name.isdigit()}
    return any(name in cut and name not in wanted_names for name in given)
