"""What asking costs beside the model alone: `python -m tests.benchmarks.ask`; exits 1 when a goal is missed.

"one film" is `embed_images` of a film that is decoded, that is an image pass; "36 x 10" is the same with margin, score
and spread of 36 findings by 10 templates each, their texts known. Both are taken in turns. Texts that are new, and the
first question of a process (imports, text tower, words of all findings), are only told: they are paid once.

The score rate is that of `explorer.scoring.run` from files to Parquet, with 41 findings' margins; the raw rate that of
`VLM.embed_images` on decoded films, as in `tests.benchmarks.score`, both on the same 1,000 films in turns. Ranking is
of 100,000 films whose embeddings are in memory, by a text that nobody asked before, to the first page; the films of a
filter likewise. Films come from TAILSCOPE_SHARED (`../shared`): JPEG of 512 pixels.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count, islice
from pathlib import Path

import numpy as np
import pyarrow as pa

from explorer.analysis.cases.text_ranking import rank_by_text
from explorer.cohorts.images import Images
from explorer.cohorts.layout import Folder
from explorer.cohorts.listing import listed_scores
from explorer.cohorts.manifest import read_model_manifest, write_manifest
from explorer.cohorts.parquet_files import read_table, write_table
from explorer.cohorts.schema import EMBEDDINGS
from explorer.core.findings import FINDINGS
from explorer.scoring.run import score_cohort
from explorer.store.slices import Slice
from explorer.store.store import Store
from models import load
from models.prompts.templates import TEMPLATES, Template, prompt_set
from models.radiograph import read_radiograph
from models.vlm.model import VLM
from tests.benchmarks.big_cohort import NAME, write_big_cohort
from tests.benchmarks.command_line import command, report
from tests.benchmarks.score import DATA
from tests.benchmarks.timing import Figure, in_turns, paired_ms
from tests.explorer.scoring.cohorts import write_cohort
from tests.support.texts import Texts, vlm_of

MODEL = "nih-mini-vlm"
NEEDS = ("shared",)
READER, D, PART = "one", 384, 8192  # a model of the big cohort, which is given embeddings of this length
TEN = [*TEMPLATES, *(Template(f"{word} {{}}", f"{word} no {{}}") for word in ("film with", "signs of", "shows", "has"))]


@dataclass(frozen=True)
class Size:
    """How much is asked: findings on one film, films ranked and scored, rounds of a comparison, texts."""

    findings: int = 36
    ranked: int = 100_000
    scored: int = 1000
    rounds: int = 3
    texts: int = 15


SMALL = Size(2, 300, 8, 1, 2)
FIRST = """
import time
start = time.perf_counter()
from models import load
from models.prompts.templates import prompt_set
model = load.vlm("nih-mini-vlm", "cpu")
loaded = time.perf_counter()
assert model._texts._opened is None
model.directions([prompt_set("pleural effusion")])
print(loaded - start, time.perf_counter() - loaded)
"""


def one_film(model: VLM, size: Size) -> Iterator[Figure]:
    """36 findings by 10 prompts beside an image pass."""
    film = read_radiograph(next((DATA / "nih_cxr14" / "images").glob("*.jpg")))
    asked = [prompt_set(finding.name, TEN) for finding in islice(FINDINGS.values(), size.findings)]
    model.directions(asked)
    calls = {
        "pass": lambda: model.embed_images([film]),
        "prompts": lambda: model.score(model.embed_images([film]), asked),
    }
    rounds = in_turns(calls, 20 * size.rounds)
    ratio = statistics.median(ask / alone for alone, ask in zip(rounds["pass"], rounds["prompts"], strict=True))
    yield Figure("one film: image pass", 1000 * statistics.median(rounds["pass"]), "ms")
    yield Figure(f"one film: with {size.findings} x 10 prompts", 1000 * statistics.median(rounds["prompts"]), "ms")
    yield Figure(f"one film: {size.findings} x 10 of one pass", ratio, "x", 1.1)
    new = (f"finding number {number}" for number in count())
    cold = paired_ms({"text": lambda: model.directions([prompt_set(next(new))])}, 3 * size.rounds)
    yield Figure("a new text, 12 prompts", cold["text"], "ms")


def first_question() -> Iterator[Figure]:
    """In a process of its own: until a film could be embedded, and from there to the first text's direction."""
    words = subprocess.run([sys.executable, "-c", FIRST], check=True, capture_output=True, text=True).stdout.split()
    images, texts = map(float, words[-2:])
    yield Figure("first question: image tower", images, "s")
    yield Figure("first question: text tower, then", texts, "s")


def cohort_rate(model: VLM, size: Size) -> Iterator[Figure]:
    """Films a second of scoring and of the model alone."""
    files = (sorted((DATA / "nih_cxr14" / "images").glob("*.jpg")) * 2)[: size.scored]
    films = {file: read_radiograph(file) for file in files}
    names = [(f"copy {row}", file.relative_to(DATA).as_posix()) for row, file in enumerate(files)]
    with tempfile.TemporaryDirectory() as place:
        folders = [Folder(Path(place) / f"cohort{number}") for number in range(size.rounds + 1)]  # one to warm up
        for folder in folders:
            write_cohort(folder, names, DATA)

        def whole() -> None:
            folder = folders.pop()
            assert score_cohort(folder, model, Images({folder.name: DATA})).manifest.scored == size.scored

        rounds = in_turns(
            {"raw": lambda: model.embed_images([films[file] for file in files]), "score": whole}, size.rounds
        )
    ratios = [100 * raw / scored for raw, scored in zip(rounds["raw"], rounds["score"], strict=True)]
    yield Figure(f"{size.scored:,} films: raw", size.scored / statistics.median(rounds["raw"]), "/s")
    yield Figure(f"{size.scored:,} films: score", size.scored / statistics.median(rounds["score"]), "/s")
    yield Figure(f"{size.scored:,} films: score of raw", statistics.median(ratios), "%", 90, least=True)


def many_films(place: Path, size: Size) -> Iterator[Figure]:
    """Ranking: from a text's direction to the first page."""
    write_big_cohort(place, size.ranked)
    folder, dice = Folder(place / NAME), np.random.default_rng(0)
    cases = read_table(folder.cases, ["case"])["case"].to_pylist()
    for part, start in enumerate(range(0, size.ranked, PART)):
        some = cases[start : start + PART]
        block = dice.standard_normal((len(some), D), np.float32)
        block /= np.linalg.norm(block, axis=1, keepdims=True)
        table = pa.table({"case": some, "features": [row.tobytes() for row in block.astype("<f2")]}, schema=EMBEDDINGS)
        write_table(folder.embeddings(READER) / f"part-{part:05}.parquet", table)
    listed = replace(read_model_manifest(folder.model(READER)), files=listed_scores(folder, READER))
    write_manifest(folder.model(READER), listed)
    store = Store(lambda: [folder], memory_mb=1024)
    texts = Texts(
        {f"text {n}": dice.standard_normal(D).astype(np.float32) for n in range(40)}, card=vlm_of(READER, None)
    )
    asked = iter(texts.directions)
    every, women = Slice(NAME, READER), Slice(NAME, READER, view="PA", sex="F")

    def ask(chosen: Slice) -> float:
        text = next(asked)
        start = time.perf_counter()
        found = rank_by_text(store, texts, chosen, text)
        store.these(chosen, found.films[:24])
        return 1000 * (time.perf_counter() - start)

    yield Figure(f"{size.ranked:,} films: the first text", ask(every) / 1000, "s")
    for name, chosen in (("all", every), ("PA films of women", women)):
        times = [ask(chosen) for _ in range(size.texts)]
        yield Figure(f"{size.ranked:,} films: rank {name}, p50", float(np.median(times)), "ms")
        yield Figure(f"{size.ranked:,} films: rank {name}, slowest", max(times), "ms", 500)


def measured(size: Size) -> Iterator[Figure]:
    """Every figure."""
    model = load.vlm(MODEL, "cpu")
    with tempfile.TemporaryDirectory() as place:
        yield from one_film(model, size)
        yield from first_question()
        yield from many_films(Path(place), size)
        yield from cohort_rate(model, size)


def main(words: Sequence[str] | None = None) -> int:
    """Print every figure; 1 where a goal is missed."""
    asked = command(__doc__).parse_args(words)
    return report(measured(SMALL if asked.small else Size()), asked)


if __name__ == "__main__":
    raise SystemExit(main())
