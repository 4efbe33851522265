"""Where a command's result goes."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import typer

from explorer.evaluation.problems import WrongInput


def writable(out: Path, *inputs: Path) -> None:
    """Raises WrongInput where `out` cannot be written or is one of the inputs: told before anything is computed."""
    if out.exists() and not out.is_file():
        raise WrongInput(f"{out} is not a file. Name a file for --out.")
    if not out.parent.is_dir():
        raise WrongInput(f"The folder {out.parent} is not there. Make it first, or name another file for --out.")
    if not os.access(out.resolve().parent, os.W_OK):
        raise WrongInput(f"The folder {out.parent} cannot be written to. Name a file elsewhere for --out.")
    if any(out.exists() and path.exists() and out.samefile(path) for path in inputs):
        raise WrongInput(f"{out} is one of the files to read. Name another file for --out.")


def write(text: str, out: Path | None) -> None:
    """To a temporary name that is renamed, or to standard output. Raises WrongInput where that fails."""
    if out is None:
        typer.echo(text, nl=False)
        return
    target = out.resolve()
    try:
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{target.name}.") as folder:
            partial = Path(folder) / "partial"
            partial.write_text(text, encoding="utf-8")
            os.replace(partial, target)
    except OSError as error:
        raise WrongInput(f"{out} cannot be written: {error.strerror}.") from error
