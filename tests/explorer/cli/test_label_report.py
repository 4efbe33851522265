"""`label-report`: one report from an argument, a file or standard input."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from tests.explorer.cli.command import run

REPORT = "INDICATION: fall. FINDINGS: Small left effusion. No pneumothorax."


def test_the_labels_come_first_and_then_each_mention_with_its_cue() -> None:
    done = run("label-report", REPORT)
    assert done.exit_code == 0, done.stderr
    said = " ".join(done.stdout.split())
    assert "Pleural Effusion present Pneumothorax absent" in said
    assert "Pneumothorax absent pneumothorax No negation findings" in said


def test_a_file_and_csv(tmp_path: Path) -> None:
    path = tmp_path / "report.txt"
    path.write_text(REPORT, encoding="utf-16")
    done = run("label-report", str(path), "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert [(row["finding"], row["label"]) for row in rows] == [
        ("Pleural Effusion", "present"),
        ("Pneumothorax", "absent"),
    ]


def test_own_rules_and_a_report_without_a_finding(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('[findings.Zebra]\nmentions = ["stripes"]\n', encoding="utf-8")
    assert "Zebra" in run("label-report", "Stripes.", "--rules", str(path)).stdout
    assert "nothing of any finding" in run("label-report", "Dots.", "--rules", str(path)).stdout


@pytest.mark.parametrize("words", [["  "], ["none.txt"], ["Mass.", "--rules", "klingon"]])
def test_what_cannot_be_labeled_is_refused(words: list[str]) -> None:
    done = run("label-report", *words)
    assert done.exit_code == 2 and done.stderr and not done.stdout


def test_another_language_is_named() -> None:
    done = run("label-report", "Kein Nachweis von Infiltraten, der Herzschatten ist nicht verbreitert.")
    assert "German" in done.stdout
