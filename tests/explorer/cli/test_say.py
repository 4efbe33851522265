"""Names of centers, images, columns and files that a terminal would obey are written out on their way to it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from explorer.cohorts.manifest import ModelManifest
from explorer.core.rates import Rate
from explorer.core.visible_text import visible, visible_name
from explorer.scoring.shift import CalledShift, shift_table
from tests.explorer.cli.command import LABELS, files, run
from tests.support.wording import Wording, line_with

HOSTILE = "a\x1b[2J\x1b]0;owned\x07b\x9b31m\u202egnp.c\rd\x08e\x7f\u2066f\x85g"
OBEYED = {*map(chr, range(0x20)), *map(chr, range(0x7F, 0xA0)), *"\u061c\u200e\u200f\u2028\u2029"} - {"\n", "\t"}
OBEYED |= {*map(chr, range(0x202A, 0x202F)), *map(chr, range(0x2066, 0x206A))}


def test_what_a_terminal_obeys_is_written_out() -> None:
    assert {sign for sign in map(chr, range(0x11000)) if visible(sign) != sign} == OBEYED
    assert {sign for sign in map(chr, range(0x11000)) if visible_name(sign) != sign} == OBEYED | {"\n", "\t"}
    assert visible("\x1b[31m\x9b\u202e\n\t\u5317 \u200d\u00e9") == "\\x1b[31m\\x9b\\u202e\n\t\u5317 \u200d\u00e9"
    assert visible_name("north\nsouth\r") == "north\\nsouth\\r"


@pytest.mark.parametrize(
    ("labels", "name"),
    [
        pytest.param(LABELS.replace("Mass", f'"{HOSTILE}"'), "labels.csv", id="a column"),
        pytest.param(LABELS.replace("\na,", f'\n"{HOSTILE}",'), "labels.csv", id="an image"),
        pytest.param(LABELS.replace("p1,0,1", f'p1,"{HOSTILE}",1'), "labels.csv", id="a cell"),
        pytest.param(LABELS.replace("p1,0,1", "p1,x,1"), f"{HOSTILE}.csv", id="a file"),
    ],
)
def test_a_complaint_moves_nothing(tmp_path: Path, labels: str, name: str) -> None:
    _, given, *scores = files(tmp_path, labels)
    brought = Path(given).rename(tmp_path / name)
    done = run("check", "--labels", str(brought), *scores)
    assert not OBEYED & set(done.stdout + done.stderr)
    assert "owned" in done.stderr


def test_a_report_of_an_ingest_moves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording) -> None:
    monkeypatch.setenv("TAILSCOPE_HOME", str(tmp_path / "home"))
    centers = f'"{HOSTILE}\nrejected"'
    rows = f"id,center,Mass,{HOSTILE[:9]}\na,{centers},1,1\nb,south,0,0\nb,north,0,0\n"
    (tmp_path / "T.csv").write_text(rows, newline="")
    (tmp_path / "map.toml").write_text('image_id = "id"\ncenter = "center"\n')
    table = ("--table", str(tmp_path / "T.csv"), "--columns", str(tmp_path / "map.toml"), "--out", "mine")
    done = run("ingest", "csv", *table)
    assert done.exit_code == 1
    wording(line_with(done.stdout, "  rejected", "2"))
    assert not OBEYED & set(done.stdout + done.stderr)
    (centers,) = [line for line in done.stdout.splitlines() if line.startswith("  centers ")]
    assert centers.startswith("  centers   a\\x1b[2J") and "\\nrejected 1" in centers


def test_a_shift_of_scores_moves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    manifest = cast(ModelManifest, SimpleNamespace(origins={}))
    name = f"{HOSTILE}\nsouth"
    found = CalledShift((name, "south"), {"Mass": (Rate(1, 4), Rate(2, 4))}, (name,))
    said = shift_table(found, manifest)
    assert not OBEYED & set(said) and len(said.splitlines()) == 3


def test_a_terminal_without_a_minus_sign_shows_a_hyphen() -> None:
    """Windows' cp1252 has an en dash, but no minus sign."""
    code = "import explorer.cli.say as c; c.escape_unencodable(); c.say('\\u2212.1 [2\\u20133] \\u5317')"
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "PYTHONIOENCODING": "cp1252"}, capture_output=True, check=True
    )
    assert done.stdout.decode("cp1252").strip() == "-.1 [2\u20133] \\u5317"
