"""Names of images that two files write differently: with a file ending or without, with folders or without."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass

from explorer.core.word_lists import quantity

_ENDING = re.compile(r"(?:\.nii)?\.(?:png|jpe?g|dcm|dicom|tiff?|bmp|webp|gz|npy)$", re.IGNORECASE)
_FOLDER = re.compile(r"^.*[/\\]", re.DOTALL)


def _bare(name: str) -> str:
    return _ENDING.sub("", name.strip())


def _last(name: str) -> str:
    return _FOLDER.sub("", name.strip())


_WAYS: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("blanks around them", str.strip),
    ("file endings", _bare),
    ("folders", _last),
    ("folders and file endings", lambda name: _bare(_last(name))),
)


@dataclass(frozen=True, slots=True)
class ImageNames:
    """`pairs` maps the name of an image in one file to its name in the other; `said` is how it was found."""

    pairs: dict[str, str]
    said: str


def image_names(given: Collection[str], wanted: Collection[str], whose: str) -> ImageNames | None:
    """How the `given` names are those `wanted`, which are `whose`; None where they are compared as they stand.

    Endings and folders are left out only where more images are found so, and where no two images of a file become one.
    """
    there = set(wanted)
    most = sum(name in there for name in given)
    if most == min(len(there), len(given)):
        return None
    best: ImageNames | None = None
    for without, shorten in _WAYS:
        ours, theirs = _once(given, shorten), _once(wanted, shorten)
        if ours is None or theirs is None:
            continue
        pairs = {name: theirs[short] for short, name in ours.items() if short in theirs}
        if len(pairs) > most:
            most = len(pairs)
            other = next(name for name, called in pairs.items() if name != called)
            found = quantity(most, "image")
            said = f"images are compared without {without}: {other!r} is {pairs[other]!r} of {whose} ({found} found so)"
            best = ImageNames(pairs, said)
    return best


def _once(names: Collection[str], shorten: Callable[[str], str]) -> dict[str, str] | None:
    """Short name -> name; None where two names become one."""
    short = {shorten(name): name for name in names}
    return short if len(short) == len(names) else None


def zeros_lost(given: Collection[str], wanted: Collection[str]) -> bool:
    """Whether some of the `given` names are wanted ones that a spreadsheet took for numbers: 7 for 007."""
    there = set(wanted)
    cut = {name.lstrip("0") for name in there if name.startswith("0") and name.isdigit()}
    return any(name in cut and name not in there for name in given)
