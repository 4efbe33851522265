"""The blind test: one film per finding with six names to choose from, and the answers in a separate folder.

Readers must see neither the answers nor this program's arguments. Chance is one in six.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PIL import Image

from explorer.simulator.draws import draws
from explorer.simulator.render import render
from explorer.simulator.request import ABNORMAL, CENTERS, Center, Request

ANSWER_CHOICES = 6


def write_test(folder: Path, size: int, seed: int, severity: float) -> None:
    """Write `films/film-01.png` and so on, `films/questions.csv` and `answers/answers.csv` below the folder."""
    random = draws(seed, "blind test")
    questions, answers = [], []
    (folder / "films").mkdir(parents=True, exist_ok=True)
    (folder / "answers").mkdir(exist_ok=True)
    for number, at in enumerate(random.permutation(len(ABNORMAL)), 1):
        answer, film = ABNORMAL[at], f"film-{number:02}.png"
        center: Center = CENTERS[number % 2]
        pixels, _ = render(int(random.integers(2**31)), [Request(answer, severity=severity)], center, size)
        Image.fromarray((pixels * 255 + 0.5).astype(np.uint8)).save(folder / "films" / film)
        others = random.choice([name for name in ABNORMAL if name != answer], ANSWER_CHOICES - 1, replace=False)
        questions.append((film, *random.permutation([answer, *others])))
        answers.append((film, answer))
    _write(
        folder / "films" / "questions.csv", ("film", *(f"choice {n}" for n in range(1, ANSWER_CHOICES + 1))), questions
    )
    _write(folder / "answers" / "answers.csv", ("film", "finding"), answers)


def check_answers(folder: Path, given: Path) -> tuple[list[str], list[tuple[str, str]]]:
    """Return the correctly named findings, and (finding, answer) pairs for the rest; `given` is a CSV: film,finding."""
    answers = {row["film"]: row["finding"].strip() for row in _read(given)}
    truth = [
        (row["finding"], answers.get(row["film"], "no answer")) for row in _read(folder / "answers" / "answers.csv")
    ]
    return [finding for finding, taken in truth if finding == taken], [pair for pair in truth if pair[0] != pair[1]]


def _write(path: Path, header: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([header, *rows])


def _read(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))
