"""Settings of the application: one table of name, default and help. The README prints it, a test compares the two.

The address is not a setting: the page is served on 127.0.0.1 only, because it shows films of patients.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import typer
from typer.models import OptionInfo

from explorer.cohorts.image_folder import image_folder
from explorer.reading.model_routing import ByProvenance
from explorer.school.classroom.class_settings import CLASS_PORT, EVERYWHERE, ClassSettings, is_address, is_host

HOST = "127.0.0.1"
PORT = 7860


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
    dicom: bool = False
    classroom: ClassSettings = field(default_factory=ClassSettings)


Device = Literal["auto", "cpu", "cuda", "mps"]
DEVICES: tuple[Device, ...] = get_args(Device)

# What reads the films that the chosen model was not made for.
CLASSIFIERS = ByProvenance("nih-ensemble", "phantom")
VLMS = ByProvenance("nih-mini-vlm", "phantom-vlm")
READS = (CLASSIFIERS.real, CLASSIFIERS.simulated)  # of a cohort's models the one that is shown first

SETTINGS: tuple[Setting, ...] = (
    Setting("--port", PORT, "port of the page on 127.0.0.1, 1 to 65535"),
    Setting("--device", DEVICES[0], "where models run; auto: the first available of cuda, mps, cpu", DEVICES),
    Setting("--model", CLASSIFIERS.real, "a model's name in the registry, or the path of a model's own TOML file"),
    Setting("--vlm", VLMS.real, "the image-text model behind Ask: as --model, or an open_clip address"),
    Setting("--images", "", "a folder of a cohort's films as NAME=DIR, for example nih=/data/nih; may be repeated"),
    Setting(
        "--dicom-export",
        "",
        "offer DICOM among Read's ways to save: a picture and a structured report",
    ),
)

CLASS_SETTINGS: tuple[Setting, ...] = (
    Setting("--class", "", "serve a class to learners on the local network; the page itself stays on 127.0.0.1"),
    Setting("--class-port", CLASS_PORT, "port of the class, 1 to 65535"),
    Setting("--class-host", "", "a further name or address by which learners reach this machine; may be repeated"),
    Setting("--class-bind", EVERYWHERE, "address of this machine that the class listens at; 0.0.0.0: all of IPv4"),
    Setting("--tls", "", "self-signed: encrypt the class with a certificate made for it", ("self-signed",)),
    Setting("--tls-cert", "", "encrypt the class with this certificate, a PEM file"),
    Setting("--tls-key", "", "the key of that certificate, a PEM file without a password"),
)

TEST_SETTINGS: tuple[Setting, ...] = (
    Setting("TAILSCOPE_SHARED", "../shared", "folder of the real radiographs that tests read"),
    Setting("TAILSCOPE_REQUIRE", "", "`shared`, `browser` or `shared,browser`: a test that lacks it fails, not skips"),
)


_BY_NAME = {setting.name: setting for setting in (*SETTINGS, *CLASS_SETTINGS)}
_app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)


def parse(words: Sequence[str]) -> Settings:
    """Settings from command line words, without the program's name.

    A wrong word ends the program with a sentence and exit status 2 (SystemExit), --help with status 0.
    """
    given: list[Settings] = []
    try:
        typer.main.get_command(_app).main(list(words), prog_name="app.py", obj=given)
    except SystemExit:  # raised at the end of every command, whether it was understood or not
        if not given:
            raise
    return given[0]


def _port(given: object) -> int:
    text = str(given)  # the default is given as the number that it is
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= 65535):
        raise typer.BadParameter(f"{text!r} is not a port: give a number from 1 to 65535, for example 7861")
    return int(text)


def _device(text: str) -> str:
    if text not in DEVICES:
        raise typer.BadParameter(f"invalid choice: {text!r} (choose from {', '.join(DEVICES)})")
    return text


def _images(text: str) -> tuple[str, Path]:
    try:
        return image_folder(text)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error


def _host(text: str) -> str:
    if not is_host(text):
        raise typer.BadParameter(
            f"{text!r} is not a name of a machine: give one as learners type it, such as room-4.local"
        )
    return text.lower()


def _bind(text: str) -> str:
    if not is_address(text):
        raise typer.BadParameter(f"{text!r} is not an address: give one of this machine, for example 192.168.1.5")
    return text


def _self_signed(text: str) -> str:
    if text not in ("", "self-signed"):
        raise typer.BadParameter(f"invalid choice: {text!r} (choose from self-signed)")
    return text


def _file(text: str) -> Path:
    if not Path(text).is_file():
        raise typer.BadParameter(f"{text!r} is not a file")
    return Path(text)


def _option(name: str, parser: Callable[[str], object] = str, metavar: str = "TEXT") -> OptionInfo:
    """What typer has to know of a setting, from its line of the table."""
    option: OptionInfo = typer.Option(name, help=_BY_NAME[name].help, parser=parser, metavar=metavar)
    return option


# Words that are no option are collected, so that the sentence about them names all at once.
@_app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def _settings(
    context: typer.Context,
    port: Annotated[int, _option("--port", _port, "PORT")] = PORT,
    device: Annotated[str, _option("--device", _device, f"[{'|'.join(DEVICES)}]")] = DEVICES[0],
    model: Annotated[str, _option("--model")] = CLASSIFIERS.real,
    vlm: Annotated[str, _option("--vlm")] = VLMS.real,
    images: Annotated[list[Any] | None, _option("--images", _images, "NAME=DIR")] = None,
    dicom: Annotated[bool, typer.Option("--dicom-export", help=_BY_NAME["--dicom-export"].help)] = False,
    class_on: Annotated[bool, typer.Option("--class", help=_BY_NAME["--class"].help)] = False,
    class_port: Annotated[int, _option("--class-port", _port, "PORT")] = CLASS_PORT,
    class_hosts: Annotated[list[Any] | None, _option("--class-host", _host, "NAME")] = None,
    class_bind: Annotated[str, _option("--class-bind", _bind, "ADDRESS")] = EVERYWHERE,
    tls: Annotated[str, _option("--tls", _self_signed, "[self-signed]")] = "",
    tls_cert: Annotated[Path | None, _option("--tls-cert", _file, "FILE")] = None,
    tls_key: Annotated[Path | None, _option("--tls-key", _file, "FILE")] = None,
) -> None:
    """Serve Tailscope on this machine."""
    if context.args:
        context.fail(f"unrecognized arguments: {' '.join(context.args)}")
    classroom = ClassSettings(class_on, class_port, class_bind, tuple(class_hosts or ()), tls, tls_cert, tls_key)
    if problem := _problem(classroom, port):
        context.fail(problem)
    context.obj.append(Settings(port, device, model, vlm, dict(images or []), dicom, classroom))


def _problem(asked: ClassSettings, port: int) -> str:
    """What of a class's options does not go together, as a sentence; empty where all does."""
    if asked != ClassSettings() and not asked.on:
        return "options of a class without --class: add it, or leave them out"
    if (asked.tls_cert is None) != (asked.tls_key is None):
        return "--tls-cert and --tls-key belong together: name both files"
    if asked.tls and asked.tls_cert is not None:
        return "--tls self-signed makes a certificate of its own: leave out --tls-cert and --tls-key, or --tls"
    if asked.on and asked.port == port:
        return f"--class-port is the page's own port, {port}: choose another one"
    return ""
