"""The name of a folder of films on a command line; nothing that decodes or simulates a film is loaded for it."""

from __future__ import annotations

from pathlib import Path

from explorer.cohorts.layout import NoCohort, checked_name

PHANTOM = "phantom"  # the root of simulated films


def image_folder(text: str) -> tuple[str, Path]:
    """NAME=DIR of a command line; raises ValueError in words."""
    name, equals, place = text.partition("=")
    if not (equals and name and place):
        raise ValueError(f"{text!r} is not NAME=DIR: give a name and a folder, for example nih=/data/nih")
    try:
        checked_name(name)
    except NoCohort as error:
        raise ValueError(str(error)) from error
    if name == PHANTOM:
        raise ValueError(f"{PHANTOM!r} names the simulated films, which need no folder: give another name")
    path = Path(place).expanduser()
    if not path.is_dir():
        raise ValueError(f"{place!r} is not a folder: give an existing one, for example nih=/data/nih")
    return name, path
