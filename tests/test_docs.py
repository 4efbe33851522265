"""The README's tables against what they describe: settings, registered models, pinned packages."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from explorer.settings import SETTINGS, TEST_SETTINGS

ROOT = Path(__file__).parents[1]
PIN = re.compile(r"([A-Za-z0-9_.-]+)==[0-9][A-Za-z0-9.]*")


def table(heading: str) -> list[tuple[str, ...]]:
    """The rows of the README's table whose heading starts with a word, without the marks around code."""
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith(f"| {heading} |"))
    rows = []
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            break
        rows.append(tuple(cell.strip().replace("`", "") for cell in line.strip("|").split("|")))
    return rows


def pinned(name: str) -> list[str]:
    """The packages that a requirement file names as its own, before those that they bring."""
    own, _ = (ROOT / name).read_text(encoding="utf-8").split("# What those bring", 1)
    return [match[1] for line in own.splitlines() if (match := PIN.fullmatch(line))]


@pytest.mark.parametrize(("heading", "settings"), [("setting", SETTINGS), ("variable", TEST_SETTINGS)])
def test_settings_tables_are_those_of_the_code(heading: str, settings: tuple) -> None:
    stated = [(setting.name, str(setting.default), setting.help.replace("`", "")) for setting in settings]
    assert table(heading) == stated


def test_models_table_is_the_registry() -> None:
    registered = []
    for path in sorted((ROOT / "models" / "registry").glob("*.toml")):
        card = tomllib.loads(path.read_text(encoding="utf-8"))
        trained_on = "; ".join(f"{source['films']:,} films of {source['source']}" for source in card["training"])
        findings = "any text" if card["kind"] == "vlm" else str(len(card["findings"]))
        registered.append((card["name"], card["architecture"], findings, trained_on, card["licence"]))
    assert table("name") == registered


def test_dependency_table_is_what_the_requirement_files_pin() -> None:
    assert [row[0] for row in table("package")] == pinned("requirements.txt") + pinned("requirements-dev.txt")
    assert all(purpose and licence for _, purpose, licence in table("package"))


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.txt"])
def test_every_requirement_is_pinned(name: str) -> None:
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    loose = [line for line in lines if line and not line.startswith(("#", "-r ")) and not PIN.fullmatch(line)]
    assert not loose
