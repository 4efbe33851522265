"""Scoring a cohort beside the model alone: `python -m tests.benchmarks.score`; exits 1 when a goal is missed.

The raw rate is that of `Classifier.score` on films that are decoded already, with torch as it comes: a batch at a time
on all cores. The score rate is that of `scoring.run` from files to Parquet. Both take the same real films in batches
of the same size, in turns. On a CPU the cores that decode cannot infer meanwhile; what makes up for that is that each
core has a batch of its own, so that the score rate can even be above the raw one. "raw, a batch a core" is the model
alone on decoded films in that way, a bound of what scoring could reach; "decoding" is that of one thread alone.

Films come from TAILSCOPE_SHARED (`../shared`): JPEG of 512 pixels, and twelve PNG originals of 1,024 pixels, in turns.
The goal is for the former; the latter take several times as long to decode, which two cores cannot hide.
"""

from __future__ import annotations

import os
import statistics
import tempfile
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path

import torch

from explorer.cohorts.images import Images
from explorer.cohorts.layout import Folder
from explorer.scoring.batches import FilmToScore, overlapped
from explorer.scoring.run import score_cohort
from models.classifier.classifier import BATCH_SIZE, Classifier
from models.load import classifier
from models.radiograph import read_radiograph
from tests.benchmarks.command_line import command, report
from tests.benchmarks.timing import Figure, in_turns
from tests.explorer.scoring.cohorts import write_cohort

DATA = Path(os.environ.get("TAILSCOPE_SHARED", Path(__file__).parents[3] / "shared")).resolve() / "data"
NEEDS = ("shared",)
ROUNDS = 7
GOAL, AIM = 90.0, 95.0  # percent of the raw rate


def figures(kind: str, files: list[Path], model: Classifier, rounds: int, goals: tuple[float, ...]) -> list[Figure]:
    """Films a second, medians over rounds, and the median of the rounds' ratios."""
    films = {file: read_radiograph(file) for file in files}
    number = count()
    with tempfile.TemporaryDirectory() as place:

        def whole() -> None:
            folder = Folder(Path(place) / f"cohort{next(number)}")
            names = [(f"copy {row}", file.relative_to(DATA).as_posix()) for row, file in enumerate(files)]
            write_cohort(folder, names, DATA)
            assert score_cohort(folder, model, Images({folder.name: DATA})).manifest.scored == len(files)

        calls = {
            "raw": lambda: model.score([films[file] for file in files]),
            "raw, a batch a core": lambda: _a_batch_a_core(model, files, lambda file: model.boxed(films[file])),
            "score": whole,
            "decoding": lambda: list(map(read_radiograph, files)),
        }
        rates = {name: [len(files) / each for each in times] for name, times in in_turns(calls, rounds).items()}
    ratio = statistics.median(100 * scored / raw for scored, raw in zip(rates["score"], rates["raw"], strict=True))
    return [
        *(Figure(f"{kind}: {name}", statistics.median(each), "/s") for name, each in rates.items()),
        *(Figure(f"{kind}: score of raw", ratio, "%", goal, least=True) for goal in goals or (None,)),
    ]


def _a_batch_a_core(model: Classifier, files: list[Path], read: Callable[[Path], torch.Tensor]) -> None:
    cores = torch.get_num_threads()
    torch.set_num_threads(1)
    films = [FilmToScore(str(row), file) for row, file in enumerate(files)]
    batches = (films[start : start + BATCH_SIZE] for start in range(0, len(films), BATCH_SIZE))
    assert sum(len(done.cases) for done in overlapped(batches, read, model.score_boxed, cores)) == len(files)
    torch.set_num_threads(cores)


def measured(small: bool) -> Iterator[Figure | str]:
    """Films of both kinds."""
    model, rounds, most = classifier("nih-mini", "cpu"), 1 if small else ROUNDS, 4 if small else 256
    yield f"{model.card.name}, {model.card.size} px; films a second"
    jpeg = sorted((DATA / "nih_cxr14" / "images").glob("*.jpg"))[:most]
    yield from figures("JPEG 512", jpeg, model, rounds, (GOAL, AIM))
    png = (sorted((DATA / "nih_cxr14" / "original").glob("*.png")) * 4)[: most // 2]
    yield from figures("PNG 1024", png, model, rounds, ())


def main(words: Sequence[str] | None = None) -> int:
    """Print every figure; 1 where a goal is missed."""
    asked = command(__doc__).parse_args(words)
    return report(measured(asked.small), asked)


if __name__ == "__main__":
    raise SystemExit(main())
