"""The blind test: every finding once, among six names, and hits counted from a file of answers."""

from __future__ import annotations

import csv
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from explorer.simulator import ABNORMAL

ROOT = Path(__file__).parents[3]


def run(*words: object) -> str:
    command = [sys.executable, "-m", "explorer.simulator", *map(str, words)]
    return subprocess.check_output(command, cwd=ROOT, text=True, timeout=300)


@pytest.mark.slow
def test_a_test_is_written_and_its_answers_are_counted(tmp_path: Path) -> None:
    run("--blind", "--out", tmp_path, "--size", 64, "--seed", 3)
    questions = list(csv.reader((tmp_path / "films" / "questions.csv").read_text().splitlines()))[1:]
    answers = list(csv.DictReader((tmp_path / "answers" / "answers.csv").read_text().splitlines()))
    assert sorted(row["finding"] for row in answers) == sorted(ABNORMAL)
    assert len(list((tmp_path / "films").glob("*.png"))) == len(ABNORMAL)
    for (film, *choices), row in zip(questions, answers, strict=True):
        assert film == row["film"] and len(set(choices)) == 6 and row["finding"] in choices
    answers[0]["finding"] = "Normal"
    with (tmp_path / "given.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, ["film", "finding"])
        writer.writeheader()
        writer.writerows(answers[:-1])
    said = run("--answers", tmp_path / "given.csv", "--out", tmp_path)
    assert said.startswith("33 of 35 correct") and "mistaken for Normal" in said and "mistaken for no answer" in said


def test_a_sheet_shows_a_row_for_each_finding(tmp_path: Path) -> None:
    said = run("--sheet", "--out", tmp_path, "--size", 64, "--findings", "Nodule", "Mass")
    assert said.strip() == str(tmp_path / "sheet-1.png")
    sheet = np.asarray(Image.open(tmp_path / "sheet-1.png").convert("L"))
    assert sheet.shape[1] == 5 * 64 and sheet.shape[0] > 2 * 64
    unchanged = sheet[-64:, -64:] == 128  # of the last column, the difference to the twin
    assert 0.5 < unchanged.mean() < 1
