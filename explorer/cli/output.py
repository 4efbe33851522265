"""Writes a command's result to a file or to standard output."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

import typer

from explorer.tabular.problems import WrongInput
from models.whole_file import check_writable


def writable(out: Path, *inputs: Path) -> None:
    """Raises WrongInput if `out` cannot be written or is one of the inputs, before anything is computed."""
    with _refusing(out):
        if out.exists() and not out.is_file():
            raise WrongInput(f"{out} is not a file. Name a file for --out.")
        if not out.parent.is_dir():
            raise WrongInput(f"The folder {out.parent} does not exist. Create it, or name another file for --out.")
        if not os.access(out.resolve().parent, os.W_OK):
            raise WrongInput(f"The folder {out.parent} is not writable. Name a file elsewhere for --out.")
        check_writable(out.resolve().parent)
        if any(out.exists() and path.exists() and out.samefile(path) for path in inputs):
            raise WrongInput(f"{out} is one of the input files. Name another file for --out.")


def file_kind(out: Path, kinds: Collection[str]) -> str:
    """Return which of `kinds`, such as png, the name of `out` ends in. Raises typer.BadParameter."""
    kind = out.suffix.removeprefix(".").lower()
    if kind not in kinds:
        raise typer.BadParameter(f"--out ends in {' or '.join('.' + each for each in kinds)}.")
    return kind


def write_result(text: str, out: Path | None) -> None:
    """Write to a temporary file that is then renamed, or to standard output. Raises WrongInput if that fails.

    A closed pipe is not an error: BrokenPipeError passes through.
    """
    if out is None:
        _show(text)
        return
    with _refusing(out):
        target = out.resolve()
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=".table.") as folder:
            partial = Path(folder) / "partial"
            partial.write_text(text, encoding="utf-8")
            os.replace(partial, target)


def _show(text: str) -> None:
    try:
        typer.echo(text, nl=False)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or flushing at exit would fail again
        raise WrongInput(f"Standard output cannot be written to: {error.strerror}. Name a file for --out.") from error


@contextmanager
def _refusing(out: Path) -> Iterator[None]:
    """Turn errors of the file system, including circular links, into WrongInput."""
    try:
        yield
    except OSError as error:
        raise WrongInput(f"{out} cannot be written: {error.strerror}. Name another file for --out.") from error
    except RuntimeError as error:  # Path.resolve before Python 3.13
        raise WrongInput(f"{out} is a link that points to itself. Name another file for --out.") from error
