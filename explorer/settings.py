"""Settings of the application: one table of name, default and help, which the README repeats (a test compares them).

The address is fixed: the page is served only on 127.0.0.1, because it shows films of patients.
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
from explorer.school.classroom.class_settings import ALL_INTERFACES, CLASS_PORT, ClassSettings, is_host, is_ip_address

PAGE_HOST = "127.0.0.1"
DEFAULT_PORT = 7860


@dataclass(frozen=True, slots=True)
class Setting:
    """A row of the table: a command line option if `name` starts with --, else an environment variable."""

    name: str
    default: str | int
    help: str
    choices: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings given on the command line."""

    port: int
    device: str
    model: str
    vlm: str
    images: Mapping[str, Path]  # folders of films by name
    dicom: bool = False
    classroom: ClassSettings = field(default_factory=ClassSettings)


Device = Literal["auto", "cpu", "cuda", "mps"]
DEVICES: tuple[Device, ...] = get_args(Device)

# Default models; the page falls back to these for films that the chosen model does not suit.
CLASSIFIERS = ByProvenance("nih-ensemble", "phantom")
VLMS = ByProvenance("nih-mini-vlm", "phantom-vlm")
DEFAULT_CLASSIFIERS = (CLASSIFIERS.real, CLASSIFIERS.simulated)  # shown first among a cohort's models

SETTINGS: tuple[Setting, ...] = (
    Setting("--port", DEFAULT_PORT, "port of the page on 127.0.0.1, 1 to 65535"),
    Setting("--device", DEVICES[0], "where models run; auto: the first available of cuda, mps, cpu", DEVICES),
    Setting("--model", CLASSIFIERS.real, "name of a registered model, or path of your model's TOML file"),
    Setting("--vlm", VLMS.real, "image-text model for Ask: as --model, or an open_clip address"),
    Setting("--images", "", "folder of a cohort's films as NAME=DIR, for example nih=/data/nih; repeatable"),
    Setting(
        "--dicom-export",
        "",
        "let Read save DICOM: a picture and a structured report",
    ),
)

CLASS_SETTINGS: tuple[Setting, ...] = (
    Setting("--class", "", "serve a class to learners on the local network; the page itself stays on 127.0.0.1"),
    Setting("--class-port", CLASS_PORT, "port of the class, 1 to 65535"),
    Setting("--class-host", "", "another name or address by which learners reach this machine; repeatable"),
    Setting("--class-bind", ALL_INTERFACES, "address of this machine on which the class listens; 0.0.0.0: all of IPv4"),
    Setting("--tls", "", "self-signed: encrypt the class with a newly made certificate", ("self-signed",)),
    Setting("--tls-cert", "", "encrypt the class with this certificate, a PEM file"),
    Setting("--tls-key", "", "private key of that certificate, a PEM file without a password"),
)

TEST_SETTINGS: tuple[Setting, ...] = (
    Setting("TAILSCOPE_SHARED", "../shared", "folder of real radiographs for tests"),
    Setting(
        "TAILSCOPE_REQUIRE", "", "`shared`, `browser` or `shared,browser`: tests that lack it fail instead of skip"
    ),
)


_BY_NAME = {setting.name: setting for setting in (*SETTINGS, *CLASS_SETTINGS)}
_app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)


def parse_settings(words: Sequence[str]) -> Settings:
    """Parse command line words, without the program's name.

    Invalid words end the program with a sentence and exit status 2 (SystemExit), --help with status 0.
    """
    given: list[Settings] = []
    try:
        typer.main.get_command(_app).main(list(words), prog_name="app.py", obj=given)
    except SystemExit:  # typer raises it after every command, also after success
        if not given:
            raise
    return given[0]


def _port(given: object) -> int:
    text = str(given)  # the default is passed as a number
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
        raise typer.BadParameter(f"{text!r} is not a host name: type it as learners do, for example room-4.local")
    return text.lower()


def _bind(text: str) -> str:
    if not is_ip_address(text):
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
    """Return typer's option for a setting, from its row in the table."""
    option: OptionInfo = typer.Option(name, help=_BY_NAME[name].help, parser=parser, metavar=metavar)
    return option


# Unknown words are collected, so that one sentence can list them all.
@_app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def _settings(
    context: typer.Context,
    port: Annotated[int, _option("--port", _port, "PORT")] = DEFAULT_PORT,
    device: Annotated[str, _option("--device", _device, f"[{'|'.join(DEVICES)}]")] = DEVICES[0],
    model: Annotated[str, _option("--model")] = CLASSIFIERS.real,
    vlm: Annotated[str, _option("--vlm")] = VLMS.real,
    images: Annotated[list[Any] | None, _option("--images", _images, "NAME=DIR")] = None,
    dicom: Annotated[bool, typer.Option("--dicom-export", help=_BY_NAME["--dicom-export"].help)] = False,
    class_on: Annotated[bool, typer.Option("--class", help=_BY_NAME["--class"].help)] = False,
    class_port: Annotated[int, _option("--class-port", _port, "PORT")] = CLASS_PORT,
    class_hosts: Annotated[list[Any] | None, _option("--class-host", _host, "NAME")] = None,
    class_bind: Annotated[str, _option("--class-bind", _bind, "ADDRESS")] = ALL_INTERFACES,
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
    """Return a sentence if a class's options contradict one another; else empty."""
    if asked != ClassSettings() and not asked.on:
        return "options of a class without --class: add it, or leave them out"
    if (asked.tls_cert is None) != (asked.tls_key is None):
        return "--tls-cert and --tls-key must be used together"
    if asked.tls and asked.tls_cert is not None:
        return "--tls self-signed makes its own certificate: leave out --tls-cert and --tls-key, or --tls"
    if asked.on and asked.port == port:
        return f"--class-port is the same as the page's port, {port}: choose another one"
    return ""
