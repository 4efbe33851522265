"""What `pip install .` installs: every data file that the code reads, the pinned packages, and the command."""

from __future__ import annotations

import importlib
import subprocess
import tomllib
from pathlib import Path, PurePath

import pytest

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PATTERNS = PROJECT["tool"]["setuptools"]["package-data"]


def tracked() -> list[str]:
    """The files of the packages that are in the repository, Python apart."""
    command = ["git", "ls-files", "explorer", "models"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    if done.returncode != 0:
        pytest.skip("not a git checkout")
    return [name for name in done.stdout.splitlines() if not name.endswith(".py")]


def is_installed(name: str) -> bool:
    """Whether a pattern of pyproject.toml takes a file along; by its name, since all patterns begin with any folder."""
    return any(
        PurePath(name).match(pattern.removeprefix("**/"))
        for package, patterns in PATTERNS.items()
        for pattern in patterns
        if package == "*" or name.startswith(f"{package.replace('.', '/')}/")
    )


def test_every_data_file_is_installed() -> None:
    assert not [name for name in tracked() if not is_installed(name)]


def test_every_folder_of_modules_is_a_package() -> None:
    folders = {path.parent for room in ("explorer", "models") for path in (ROOT / room).rglob("*.py")}
    assert not [folder for folder in folders if not (folder / "__init__.py").is_file()]


def test_the_command_is_the_one_of_python_m_explorer() -> None:
    module, _, name = PROJECT["project"]["scripts"]["tailscope"].partition(":")
    from explorer.cli.app import main

    assert getattr(importlib.import_module(module), name) is main


def test_what_is_installed_is_what_is_pinned() -> None:
    assert PROJECT["project"]["dynamic"] == ["dependencies"]
    assert PROJECT["tool"]["setuptools"]["dynamic"]["dependencies"] == {"file": "requirements.txt"}
