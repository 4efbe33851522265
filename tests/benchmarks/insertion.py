"""Whether to believe inserted findings: `python -m tests.benchmarks.insertion`; exits 1 when a goal is missed.

Parts, of which `--part` chooses one:
exact     a finding put into a rendered healthy film, against the same patient rendered with it: the mean difference of
          the log odds that each simulated model gives, as a share of their standard deviation over both kinds of films;
          `--write` renews explorer/insertion/against_drawn.toml
real      how well models tell films of Hannover with a finding from the same films without it, beside real findings;
          `--write` renews explorer/insertion/believable.toml (`inserted_against_real`)
company   real findings alone and in company, and findings in normal films of NIH (`finding_company`)
ribs      whether it matters how a nodule lies to the ribs (`inserted_ribs`)
training  whether training on inserted findings helps (`inserted_training`)
times     processor milliseconds of one insertion by finding, seconds of a map
Films without plausible lungs are left out. Intervals are over resampled patients.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from explorer.insertion.believable import DRAWN_FILE, MOST_OF_SPREAD
from explorer.insertion.blind_spots import films_with, places
from explorer.insertion.insertable import FOCAL, INSERTABLE
from explorer.insertion.insertion import Insertion, Lungs, insert
from explorer.simulator import Request, render
from explorer.simulator.anatomy_masks import anatomy_masks
from explorer.simulator.version import NEWEST_DRAWING
from models.array_types import Float32
from models.classifier.ensemble import AnyClassifier
from models.load import classifier
from models.radiograph import Radiograph
from tests.benchmarks.command_line import command, report
from tests.benchmarks.finding_company import lines as company_lines
from tests.benchmarks.inserted_against_real import OUT_OF_FOLD, PATTERN, SIMULATED_ONLY
from tests.benchmarks.inserted_against_real import lines as real_lines
from tests.benchmarks.inserted_films import FINDINGS, hannover_hosts, scores_of
from tests.benchmarks.inserted_ribs import lines as ribs_lines
from tests.benchmarks.inserted_training import lines as training_lines
from tests.benchmarks.timing import Figure

NEEDS = ("shared",)
PARTS = ("exact", "real", "company", "ribs", "training", "times")
SIZE, RIB_FILMS = 512, 30
CHANGE_GOAL, MAP_GOAL = 200.0, 6.0  # ms; s
ABOUT_DRAWN = """\
# Written by `python -m tests.benchmarks.insertion --part exact --write`: the mean difference of the log odds between a
# finding put into a simulated film and the same patient drawn with it, in standard deviations of the log odds.
"""


def measured(asked: argparse.Namespace) -> Iterator[Figure | str]:
    """Yield the figures of the chosen parts."""
    small = asked.small
    for part in PARTS if asked.part is None else (asked.part,):
        if part == "exact":
            yield from _exact(2 if small else asked.patients, 1 if small else None, asked.write)
        elif part == "real":
            models = ("nih-mini",) if small else (*OUT_OF_FOLD, *SIMULATED_ONLY)
            findings = FINDINGS[:2] if small else (*FINDINGS, PATTERN)
            yield from real_lines(findings, models, 3 if small else asked.films, asked.write)
        elif part == "company":
            yield from company_lines(4 if small else 200)
        elif part == "ribs":
            yield from ribs_lines(3 if small else RIB_FILMS)
        elif part == "training":
            yield from training_lines(FINDINGS[:1] if small else FINDINGS, 12 if small else 400)
        else:
            yield from _times()


def _exact(patients: int, findings: int | None, write: bool) -> Iterator[Figure | str]:
    models = [classifier(name, "cpu") for name in SIMULATED_ONLY]
    yield f"{patients} simulated patients, inserted against rendered"
    tables: dict[str, list[str]] = {name: [] for name in SIMULATED_ONLY}
    for finding in [each for each in INSERTABLE if all(each in one.card.findings for one in models)][:findings]:
        films = _three_kinds(finding, patients)
        for model in models:
            share = _share_of_spread(model, finding, films)
            yield Figure(f"{model.card.name}, {finding}: share of the spread", share, "", MOST_OF_SPREAD)
            words = f'\n[{model.card.name}."{finding}"]\nspread = {share:.2f}\npatients = {patients}\n'
            tables[model.card.name].append(words)
    if write:
        DRAWN_FILE.write_text(ABOUT_DRAWN + "".join(sum(tables.values(), [])), encoding="utf-8")


def _three_kinds(finding: str, patients: int) -> tuple[list[Radiograph], ...]:
    """Films of the same patients: without the finding, rendered with it, and with it inserted."""
    healthy, rendered, inserted = [], [], []
    for seed in range(1000, 1000 + patients):
        severity = 0.2 + 0.7 * (seed % 8) / 7
        film, lungs = _healthy(seed)
        healthy.append(_film(film))
        rendered.append(_film(render(seed, [Request(finding, "right", severity)], "A", SIZE, NEWEST_DRAWING)[0]))
        inserted.append(_film(insert(film, lungs, Insertion(finding, "right", severity, seed)).film))
    return healthy, rendered, inserted


def _share_of_spread(model: AnyClassifier, finding: str, films: Sequence[Sequence[Radiograph]]) -> float:
    place = model.card.findings.index(finding)
    absent, exact, found = (_log_odds(scores_of(model, each)[:, place]) for each in films)
    return float(np.abs(found - exact).mean() / max(np.concatenate([absent, exact]).std(), 1e-6))


def _healthy(seed: int) -> tuple[Float32, Lungs]:
    masks = anatomy_masks(seed, [], "A", SIZE, NEWEST_DRAWING)
    return render(seed, [], "A", SIZE, NEWEST_DRAWING)[0], Lungs(masks["right lung"], masks["left lung"])


def _times() -> Iterator[Figure]:
    host = hannover_hosts(2)[0]
    film, lungs = host.film, host.lungs
    for finding in INSERTABLE:
        insert(film.pixels, lungs, Insertion(finding, "right", 0.5))  # draws the simulated patient
        used = [_processor_ms(film.pixels, lungs, finding, severity) for severity in (0.3, 0.4, 0.6, 0.7)]
        yield Figure(f"insert {finding}, processor time", min(used), "ms", CHANGE_GOAL)
    model = classifier("nih-mini", "cpu")
    scores_of(model, [film])
    start = time.perf_counter()
    at = places(lungs)
    scores_of(model, [replace(film, pixels=each) for each in films_with(film.pixels, lungs, FOCAL[0], 0.6, at)])
    yield Figure(f"{len(at)} places by nih-mini", time.perf_counter() - start, "s", MAP_GOAL)


def _processor_ms(film: Float32, lungs: Lungs, finding: str, severity: float) -> float:
    """Milliseconds of the processor for a finding of another severity, as a slider asks for it: drawn and put in."""
    start = time.process_time()
    insert(film, lungs, Insertion(finding, "right", severity))
    return 1000 * (time.process_time() - start)


def _film(pixels: Float32) -> Radiograph:
    return Radiograph.from_pixels(pixels)


def _log_odds(scores: Float32) -> NDArray[np.float64]:
    bound = scores.astype(np.float64).clip(1e-6, 1 - 1e-6)
    return np.asarray(np.log(bound / (1 - bound)))


def main(words: Sequence[str] | None = None) -> int:
    """Print every figure; 1 where a goal is missed."""
    parser = command(__doc__)
    parser.add_argument("--part", choices=PARTS)
    parser.add_argument("--patients", type=int, default=16)
    parser.add_argument("--films", type=int, default=100)
    parser.add_argument("--write", action="store_true", help="renew the files of explorer/insertion")
    asked = parser.parse_args(words)
    return report(measured(asked), asked)


if __name__ == "__main__":
    raise SystemExit(main())
