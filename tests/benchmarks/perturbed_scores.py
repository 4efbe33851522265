"""Scoring perturbed films beside plain scoring: `python -m tests.benchmarks.perturbed_scores`; exits 1 on a miss.

Both go from the same real films to Parquet, in turns: plain scoring decodes each film and scores it once; perturbed
scoring decodes it once and scores it unchanged and at every level. A pass is one film scored once. Films are JPEG of
512 pixels from TAILSCOPE_SHARED (`../shared`). The share is also printed for kinds that are changed fast and slowly.
"""

from __future__ import annotations

import os
import statistics
import tempfile
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path

from explorer.cohorts.images import Images
from explorer.cohorts.layout import Folder
from explorer.scoring.perturbed_run import score_perturbed
from explorer.scoring.run import score_cohort
from models.classifier.ensemble import AnyClassifier
from models.load import classifier
from models.perturbations.film import Level, levels
from tests.benchmarks.command_line import command, report
from tests.benchmarks.timing import Figure, in_turns
from tests.explorer.scoring.cohorts import write_cohort

DATA = Path(os.environ.get("TAILSCOPE_SHARED", Path(__file__).parents[3] / "shared")).resolve() / "data"
NEEDS = ("shared",)
MODEL = "nih-mini"
ROUNDS, FILMS, SMALL = 3, 64, 4
GOAL = 85.0  # percent of the plain rate, over all levels
SOME = ("brightness-up", "rotation", "motion-blur", "jpeg")  # each also alone


def measured(small: bool) -> Iterator[Figure | str]:
    """Yield the plain rate, and the rate per pass of all levels and of some kinds."""
    model, files = classifier(MODEL, "cpu"), sorted((DATA / "nih_cxr14" / "images").glob("*.jpg"))
    files = files[: SMALL if small else FILMS]
    asked = {"all levels": levels(SOME[:1]) if small else levels(), **({} if small else {e: levels([e]) for e in SOME})}
    yield f"{model.card.name}, {model.card.size} px, {len(files)} films; passes a second"
    with tempfile.TemporaryDirectory() as place:
        scored = _Scored(Path(place), files, model)
        calls = {"plain": scored.plain, **{name: scored.at(each) for name, each in asked.items()}}
        seconds = in_turns(calls, 1 if small else ROUNDS)
    passes = {"plain": 1, **{name: len(each) + 1 for name, each in asked.items()}}
    rates = {name: [len(files) * passes[name] / each for each in seconds[name]] for name in calls}
    for name, each in rates.items():
        yield Figure(name, statistics.median(each), "/s")
    for name in asked:
        shares = [100 * own / plain for own, plain in zip(rates[name], rates["plain"], strict=True)]
        yield Figure(
            f"{name}: share of plain", statistics.median(shares), "%", GOAL if name == "all levels" else None, True
        )


class _Scored:
    """Scores a new cohort of the same films each time."""

    def __init__(self, place: Path, files: Sequence[Path], model: AnyClassifier) -> None:
        self._place, self._files, self._model, self._number = place, files, model, count()

    def plain(self) -> None:
        folder, images = self._cohort()
        assert score_cohort(folder, self._model, images).manifest.scored == len(self._files)

    def at(self, asked: Sequence[Level]) -> Callable[[], None]:
        def run() -> None:
            folder, images = self._cohort()
            done = score_perturbed(folder, self._model, images, asked)
            assert (done.tried, done.failures) == (len(self._files), {})

        return run

    def _cohort(self) -> tuple[Folder, Images]:
        folder = Folder(self._place / f"cohort{next(self._number)}")
        write_cohort(folder, [(each.stem, each.relative_to(DATA).as_posix()) for each in self._files], DATA)
        return folder, Images({folder.name: DATA})


def main(words: Sequence[str] | None = None) -> int:
    """Print every figure; 1 where a goal is missed."""
    asked = command(__doc__).parse_args(words)
    return report(measured(asked.small), asked)


if __name__ == "__main__":
    raise SystemExit(main())
