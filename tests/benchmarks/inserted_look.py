"""Can a reader tell inserted findings from real ones? `python -m tests.benchmarks.inserted_look FOLDER`.

Writes 64 films of NIH to a new folder, for each finding 8 that are labeled with it and 8 of the same views into which
it is put (severity 0.3 and 0.6 in turn). The latter have other findings and other patients. Without opening `key.csv`,
the reader fills the empty columns of `films.csv` with yes or no: `inserted`, and `seen`, whether the finding asked for
can be seen at all. `FOLDER --score` compares both. The pictures bear no mark, which would be the answer; so they are
deleted then. Without a folder, nothing is kept.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
from PIL import Image

from explorer.insertion.insertable import SIDES
from explorer.insertion.insertion import Insertion, insert
from models.cards.classifier_card import classifier_card
from models.radiograph import Radiograph, read_radiograph
from models.statistics import wilson
from models.training.nih.kept_numbers import KeptNumbers, kept_numbers
from models.whole_file import atomic_write
from tests.benchmarks.command_line import command, report
from tests.benchmarks.inserted_films import DATA, FINDINGS, hosts_of

NEEDS = ("shared",)
FOLDER, SIZE, OF_EACH = "images", 512, 8
SEVERITIES = (0.3, 0.6)
KINDS = ("real", *(f"severity {each}" for each in SEVERITIES))
ANSWERS = ("inserted", "seen")


def made(place: Path, seed: int, of_each: int) -> Iterator[str]:
    """Write pictures, the sheet to fill in, and the key, in an order that tells nothing."""
    place.mkdir(parents=True)
    kept, dice = kept_numbers(classifier_card("nih-linear-probe")), np.random.default_rng(seed)
    used: set[str] = set()
    films = [film for finding in FINDINGS for film in _of(finding, kept, dice, of_each, used)]
    rows = []
    for number, which in enumerate(dice.permutation(len(films)).tolist(), 1):
        finding, kind, film = films[which]
        name = f"film-{number:02}.png"
        _picture(film).save(place / name)
        rows.append({"film": name, "finding": finding, "kind": kind})
    key = pd.DataFrame(rows)
    _write(key, place / "key.csv")
    _write(key.drop(columns="kind").assign(**dict.fromkeys(ANSWERS, "")), place / "films.csv")
    yield f"{len(key)} films, seed {seed}"


def _of(
    finding: str, kept: KeptNumbers, dice: np.random.Generator, of_each: int, used: set[str]
) -> Iterator[tuple[str, str, Radiograph]]:
    """Yield finding, kind and film: real ones, then as many of the same views with an inserted one; new patients."""
    labeled = kept.labels[:, kept.findings.index(finding)]
    normal = kept.labels[:, kept.findings.index("Normal")]
    here = np.array([folder == FOLDER for folder in kept.folders])
    views = []
    for row in dice.permutation(np.flatnonzero(here & labeled)).tolist():
        if len(views) < of_each and kept.patients[row] not in used:
            used.add(kept.patients[row])
            views.append(kept.traits[row, 0])
            yield finding, KINDS[0], read_radiograph(DATA / "nih_cxr14" / FOLDER / kept.files[row])
    others = dice.permutation(np.flatnonzero(here & ~labeled & ~normal)).tolist()
    for turn, view in enumerate(views):
        ahead = (row for row in others if kept.traits[row, 0] == view and kept.patients[row] not in used)
        for row in ahead:
            file = DATA / "nih_cxr14" / FOLDER / kept.files[row]
            host = next(hosts_of([file], [kept.patients[row]], [row], read_radiograph), None)
            if host is None:
                continue
            used.add(host.patient)
            wanted = Insertion(finding, SIDES[int(dice.integers(2))], SEVERITIES[turn % 2], int(dice.integers(10_000)))
            pixels = insert(host.film.pixels, host.lungs, wanted).film
            yield finding, KINDS[1 + turn % 2], replace(host.film, pixels=pixels)
            break


def _picture(film: Radiograph) -> Image.Image:
    low, high = np.quantile(film.pixels, (0.005, 0.995))
    gray = ((film.pixels - low) / max(high - low, 1e-6)).clip(0, 1) * 255
    picture = Image.fromarray(gray.round().astype(np.uint8))
    picture.thumbnail((SIZE, SIZE))
    return picture


def _write(table: pd.DataFrame, file: Path) -> None:
    with atomic_write(file) as partial:
        table.to_csv(partial, index=False)


def scored(place: Path) -> Iterator[str]:
    """Yield how often the reader was right, by finding and by kind, and how often the finding was seen; then delete
    the pictures. ValueError: an answer is missing.
    """
    answers, key = pd.read_csv(place / "films.csv"), pd.read_csv(place / "key.csv")
    for column in ANSWERS:
        wrong = answers.loc[~answers[column].isin(["yes", "no"]), "film"]
        if len(wrong):
            raise ValueError(f"{column} is yes or no in films.csv: {', '.join(wrong)}")
    both = key.merge(answers, on=["film", "finding"], validate="one_to_one")
    both["correct"] = (both.inserted == "yes") == (both.kind != KINDS[0])
    yield f"correct {_rate(both.correct)}"
    for finding, of_finding in both.groupby("finding", sort=False):
        yield f"{finding}: correct {_rate(of_finding.correct)}"
    for kind in KINDS:
        of_kind = both[both.kind == kind]
        yield f"{kind}: correct {_rate(of_kind.correct)}, finding seen {_rate(of_kind.seen == 'yes')}"
        for finding, some in of_kind.groupby("finding", sort=False):
            yield f"  {finding}: correct {_rate(some.correct)}, seen {_rate(some.seen == 'yes')}"
    for film in both.film:
        (place / film).unlink(missing_ok=True)


def _rate(right: pd.Series) -> str:
    low, high = wilson(int(right.sum()), len(right))
    return f"{right.sum()} of {len(right)} [{low:.2f}, {high:.2f}]"


def main(words: Sequence[str] | None = None) -> int:
    """Make the films or compare the answers."""
    parser = command(__doc__)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--score", action="store_true", help="compare the answers in the folder with its key")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(words)
    return report(_asked(asked), asked)


def _asked(asked: argparse.Namespace) -> Iterator[str]:
    of_each = 1 if asked.small else OF_EACH
    if asked.folder is None:
        with tempfile.TemporaryDirectory() as temporary:
            yield from made(Path(temporary) / "films", asked.seed, of_each)
    elif asked.score:
        yield from scored(asked.folder)
    else:
        yield from made(asked.folder, asked.seed, of_each)


if __name__ == "__main__":
    raise SystemExit(main())
