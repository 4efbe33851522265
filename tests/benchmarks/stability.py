"""Read's "How stable is this?": what it costs, and whether it tells right from wrong.

`python -m tests.benchmarks.stability` prints `name value goal` for costs, and exits 1 when one is missed. They are
those of one film on the CPU: its changes, and its scores.

Then come calls of films that the model has not seen: how often they are wrong where more than 1 in 10 small changes
turn them, where not, and where equally many calls of the same findings lie nearest to their threshold. Every unstable
call is also paired with the stable call of the same finding, with the same answer, that is as far from the threshold.
Intervals are 95 %, over patients.

Real films are those of nih-oof: the network of nih-linear-probe never saw them, and its last layer is fitted for each
film to the other folds, as its out-of-fold scores were. Simulated ones are the test films of `phantom`.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import logit

from explorer.reading.model_loader import LazyModel, load_classifier
from explorer.reading.reader import Reader
from explorer.reading.samples import sample_bytes
from explorer.reading.stability import MOST_TURNED
from explorer.simulator.film_png import simulated_png
from models import load
from models.cards.card import Card
from models.classifier.classifier import Classifier
from models.perturbations.film import working_film
from models.perturbations.small_changes import small_changes
from models.radiograph import Radiograph, read_radiograph
from models.statistics import patient_resamples
from models.training.nih.kept_numbers import kept_numbers
from models.training.shipping.linear_probe import fit_layer
from tests.benchmarks.command_line import command, report
from tests.benchmarks.timing import Figure

DATA = Path(os.environ.get("TAILSCOPE_SHARED", Path(__file__).parents[3] / "shared")).resolve() / "data" / "nih_cxr14"
PHANTOM = Path(__file__).parents[2] / "cache" / "phantom"
NEEDS = ("shared",)
FILMS, RESAMPLES, ROUNDS = 300, 1_000, 7
GOAL_MS = 1_500.0
PROBE_PENALTY = 0.001  # the inverse penalty of nih-linear-probe, see its card

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Unseen:
    """Log odds of films by a model that has not seen them, and what is really there; findings that it can judge."""

    title: str
    own: Floats  # (films, findings)
    changed: Floats  # (films, changes, findings)
    thresholds: Floats  # (findings,)
    present: NDArray[np.int8]  # (films, findings): 1, 0, or -1 where unknown
    patients: NDArray[np.str_]  # (films,)


def times(rounds: int) -> Iterator[Figure]:
    """What an answer costs with one network and with the four of the ensemble, on a film of 1,955 by 1,841 pixels."""
    film = read_radiograph(sample_bytes("masses"))
    for name, goal in (("nih-mini", GOAL_MS), ("nih-ensemble", None)):
        reader = Reader(LazyModel(name, partial(load_classifier, name, "cpu")))
        reader.stability(film)
        walls, processor, changes = [], [], []
        for _ in range(rounds):
            wall, used = time.perf_counter(), time.process_time()
            answer = reader.stability(film)
            walls.append(1000 * (time.perf_counter() - wall))
            processor.append(1000 * (time.process_time() - used))
            changes.append(answer.change_ms)
        yield Figure(f"{name}: the whole answer", float(np.median(walls)), "ms", goal)
        yield Figure(f"{name}: processor time", float(np.median(processor)), "ms")
        yield Figure(f"{name}: of it 24 changes", float(np.median(changes)), "ms")


def read_films(films: Sequence[Radiograph], model: Classifier) -> tuple[Floats, Floats]:
    """Features of films (n, d), and after each small change (n, changes, d)."""
    own, changed = [], []
    for film in films:
        working = working_film(film)
        features = model.features([film, *(each.of(working, film.sha256) for each in small_changes())])
        own.append(features[0])
        changed.append(features[1:])
    return np.stack(own).astype(np.float64), np.stack(changed).astype(np.float64)


def real(count: int) -> Unseen:
    """Films of nih-oof, drawn at random, by probes of the other folds."""
    model = load.classifier("nih-linear-probe", "cpu")
    kept = kept_numbers(model.card)
    assert kept.features is not None
    rows = np.random.default_rng(0).permutation(len(kept.image_ids))[:count]
    films = [read_radiograph(DATA / kept.folders[row] / kept.files[row]) for row in rows]
    own, changed = read_films(films, model)
    logits, turned = np.empty((count, len(kept.findings))), np.empty((*changed.shape[:2], len(kept.findings)))
    for fold in np.unique(kept.folds[rows]):
        others, here = kept.folds != fold, kept.folds[rows] == fold
        probe = fit_layer(
            kept.features[others].astype(np.float64), kept.labels[others].astype(np.float32), PROBE_PENALTY
        )
        logits[here] = probe.logits(own[here])
        turned[here] = probe.logits(changed[here])
    title = f"nih-linear-probe, out of fold, {count} films of nih-oof"
    return _of_judged(
        title, model.card, logits, turned, kept.labels[rows].astype(np.int8), np.array(kept.patients)[rows]
    )


def simulated(count: int) -> Unseen:
    """SIMULATED test films of the phantom cohort, drawn at random, with what the simulator drew."""
    model = load.classifier("phantom", "cpu")
    cases = pd.read_parquet(PHANTOM / "cases.parquet").sample(count, random_state=0)
    labels = pd.read_parquet(PHANTOM / "labels.parquet").query("source == 'the simulator: exact'").astype(str)
    labels = labels.pivot(index="case", columns="finding", values="label")
    words = labels.loc[cases["case"], list(model.findings)].to_numpy()
    present = np.select([words == "present", words == "absent"], [1, 0], -1).astype(np.int8)
    own, changed = [], []
    for address in cases["file"]:
        film = read_radiograph(simulated_png(address))
        working = working_film(film)
        scores = logit(model.score([film, *(each.of(working, film.sha256) for each in small_changes())]).astype(float))
        own.append(scores[0])
        changed.append(scores[1:])
    title = f"phantom, {count} SIMULATED test films"
    return _of_judged(
        title, model.card, np.stack(own), np.stack(changed), present, cases["patient"].to_numpy().astype(str)
    )


def _of_judged(
    title: str, card: Card, own: Floats, changed: Floats, present: NDArray[np.int8], patients: NDArray[np.str_]
) -> Unseen:
    judged = [
        place
        for place, finding in enumerate(card.findings)
        if finding not in card.cannot_judge and finding in card.operating_points
    ]
    thresholds = logit(np.array([card.operating_points[card.findings[place]].threshold for place in judged]))
    return Unseen(title, own[:, judged], changed[..., judged], thresholds, present[:, judged], patients)


def whether_it_serves(unseen: Unseen, resamples: int) -> Iterator[str]:
    """Lines about how often calls are wrong: unstable, stable, and equally many nearest to the threshold."""
    calls = unseen.own >= unseen.thresholds
    known = unseen.present >= 0
    wrong = (calls != (unseen.present == 1)) & known
    turned = ((unseen.changed >= unseen.thresholds) != calls[:, None]).mean(axis=1)
    unstable = (turned > MOST_TURNED) & known
    distance = np.abs(unseen.own - unseen.thresholds) / unseen.own.std(axis=0)
    kinds = {
        "unstable": unstable,
        "stable": ~unstable & known,
        "as many nearest": _nearest(distance, known, unstable.sum(axis=0)),
        **{
            f"{name}, {word}": mask & side
            for word, side in (("flagged", calls), ("not flagged", ~calls))
            for name, mask in (("unstable", unstable), ("stable", ~unstable & known))
        },
    }
    pairs = _pairs(distance, calls, unstable, known)
    samples = list(patient_resamples(unseen.patients, resamples))
    films = 100 * unstable.any(axis=1).mean()
    yield f"{unseen.title}: {int(known.sum()):,} calls; {films:.0f} % of films have an unstable one"
    for name, mask in kinds.items():
        drawn = [_share(wrong[rows], mask[rows]) for rows in samples]
        hits, n = int((wrong & mask).sum()), int(mask.sum())
        yield f"  wrong, {name:<22} {hits:>5,} of {n:>6,}: {_with_interval(_share(wrong, mask), drawn)}"
    near = kinds["as many nearest"]
    apart = [_share(wrong[rows], unstable[rows]) - _share(wrong[rows], near[rows]) for rows in samples]
    yield f"  unstable - as many nearest   {_with_interval(_share(wrong, unstable) - _share(wrong, near), apart)}"
    differences = np.array([float(wrong[one, at]) - float(wrong[two, at]) for one, two, at in pairs])
    by_film = np.bincount([one for one, _, _ in pairs], differences, len(calls))
    counts = np.bincount([one for one, _, _ in pairs], minlength=len(calls))
    drawn = [by_film[rows].sum() / max(1, counts[rows].sum()) for rows in samples]
    mean = _with_interval(float(differences.mean()) if len(pairs) else 0.0, drawn)
    yield f"  unstable - stable as far off {mean}, {len(pairs):,} pairs"


def _nearest(distance: Floats, known: Bools, most: NDArray[np.int64]) -> Bools:
    """Of each finding, the `most` calls nearest to the threshold."""
    found = np.zeros(distance.shape, bool)
    for place, count in enumerate(most):
        order = np.argsort(np.where(known[:, place], distance[:, place], np.inf))
        found[order[:count], place] = True
    return found


def _pairs(distance: Floats, calls: Bools, unstable: Bools, known: Bools) -> list[tuple[int, int, int]]:
    """Each unstable call as (film, film of the stable call of the same answer nearest in distance, finding)."""
    pairs = []
    for film, place in np.argwhere(unstable):
        alike = known[:, place] & ~unstable[:, place] & (calls[:, place] == calls[film, place])
        if alike.any():
            gap = np.where(alike, np.abs(distance[:, place] - distance[film, place]), np.inf)
            pairs.append((int(film), int(gap.argmin()), int(place)))
    return pairs


def _share(wrong: Bools, mask: Bools) -> float:
    return float((wrong & mask).sum() / max(1, mask.sum()))


def _with_interval(value: float, drawn: Sequence[float]) -> str:
    low, high = np.percentile(drawn, [2.5, 97.5])
    return f"{100 * value:5.1f} % [{100 * low:.1f}, {100 * high:.1f}]"


def measured(rounds: int, films: int, resamples: int) -> Iterator[Figure | str]:
    """Every figure."""
    yield from times(rounds)
    yield from whether_it_serves(real(films), resamples)
    yield from whether_it_serves(simulated(films), resamples)


def main(words: Sequence[str] | None = None) -> int:
    """Print every figure; 1 where a goal is missed."""
    parser = command(__doc__)
    parser.add_argument("--films", type=int, default=FILMS, help="films of each kind")
    asked = parser.parse_args(words)
    return report(measured(*((1, 4, 20) if asked.small else (ROUNDS, asked.films, RESAMPLES))), asked)


if __name__ == "__main__":
    raise SystemExit(main())
