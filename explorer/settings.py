"""Settings of the application: one table of name, default and help. The README prints it, a test compares the two.

The address is not a setting: the page is served on 127.0.0.1 only, because it shows films of patients.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from explorer.cohorts.image_folder import image_folder
from explorer.reading.model_routing import ByProvenance

HOST = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Setting:
    """A line of the table. A command line option where `name` starts with --, else an environment variable."""

    name: str
    default: str | int
    help: str
    choices: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Settings:
    """What the command line asked for."""

    port: int
    device: str
    model: str
    vlm: str
    images: Mapping[str, Path]  # folders of films by name


Device = Literal["auto", "cpu", "cuda", "mps"]
DEVICES: tuple[Device, ...] = get_args(Device)

# What reads the films that the chosen model was not made for.
CLASSIFIERS = ByProvenance("nih-mini", "phantom")
VLMS = ByProvenance("nih-mini-vlm", "phantom-vlm")

SETTINGS: tuple[Setting, ...] = (
    Setting("--port", 7860, "port of the page on 127.0.0.1, 1 to 65535"),
    Setting("--device", "auto", "where models run; auto: the first there is of cuda, mps, cpu", DEVICES),
    Setting("--model", CLASSIFIERS.real, "a model's name in the registry, or the path of a model's own TOML file"),
    Setting("--vlm", VLMS.real, "the image-text model that Ask asks: as --model, or an open_clip address"),
    Setting("--images", "", "a folder of a cohort's films as NAME=DIR, for example nih=/data/nih; may be repeated"),
)

TEST_SETTINGS: tuple[Setting, ...] = (
    Setting("TAILSCOPE_SHARED", "../shared", "folder of the real radiographs that tests read"),
    Setting("TAILSCOPE_REQUIRE", "", "`shared`, `browser` or `shared,browser`: a test that lacks it fails, not skips"),
)


def parse(argv: Sequence[str]) -> Settings:
    """Settings from command line words, without the program's name.

    A wrong word ends the program with a sentence and exit status 2 (SystemExit), as argparse does.
    """
    parser = argparse.ArgumentParser(prog="app.py", description="Serve Tailscope on this machine.", allow_abbrev=False)
    for setting in SETTINGS:
        if setting.name == "--images":
            parser.add_argument(setting.name, action="append", default=[], help=setting.help, type=_images)
            continue
        parser.add_argument(
            setting.name,
            default=setting.default,
            help=f"{setting.help} (default: {setting.default})",
            choices=setting.choices,
            type=_port if setting.name == "--port" else str,
        )
    words = vars(parser.parse_args(argv))
    return Settings(**words | {"images": dict(words["images"])})


def _images(text: str) -> tuple[str, Path]:
    try:
        return image_folder(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= 65535):
        raise argparse.ArgumentTypeError(f"{text!r} is not a port: give a number from 1 to 65535, for example 7861")
    return int(text)
