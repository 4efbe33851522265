"""Parses a named folder of films on a command line; imports nothing that decodes or simulates films."""

from __future__ import annotations

from pathlib import Path

from explorer.cohorts.layout import NoCohort, checked_name

PHANTOM = "phantom"  # reserved for simulated films


def image_folder(text: str) -> tuple[str, Path]:
    """Parse NAME=DIR; raises ValueError with a sentence."""
    name, equals, place = text.partition("=")
    if not (equals and name and place):
        raise ValueError(f"{text!r} is not NAME=DIR: give a name and a folder, for example nih=/data/nih")
    try:
        checked_name(name)
    except NoCohort as error:
        raise ValueError(str(error)) from error
    if name == PHANTOM:
        raise ValueError(f"{PHANTOM!r} is reserved for simulated films, which need no folder: choose another name")
    path = Path(place).expanduser()
    if not path.is_dir():
        raise ValueError(f"{place!r} is not a folder: give an existing one, for example nih=/data/nih")
    return name, path
