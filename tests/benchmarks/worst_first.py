"""From how many findings the worst misses of the cohort `phantom` are, by each way of ordering them.

Run with `python -m tests.benchmarks.worst_first`. A gallery of one finding alone shows little of how a model fails.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd
import pyarrow.parquet as pq

from explorer.cohorts.layout import CACHE
from explorer.cohorts.manifest import read_manifest
from explorer.core.worst_first import above_usual, badness, on_wrong_side
from tests.benchmarks.command_line import command, report

MODELS = "phantom", "lab-bce-0"
FILMS = 48  # two pages of the gallery
HALF = 0.5  # what scores made elsewhere have for a threshold


def measured(models: Sequence[str]) -> Iterator[str]:
    """Yield a line for each model and way."""
    cohort = CACHE / "phantom"
    source = read_manifest(cohort / "manifest.json").default_source
    labels = pq.read_table(cohort / "labels.parquet").to_pandas()
    labels = labels[labels["source"] == source][["case", "finding", "label"]].astype(str)
    for model in models:
        scores = pq.read_table(cohort / "predictions" / model).to_pandas().astype({"case": str, "finding": str})
        points = pq.read_table(cohort / "operating_points" / f"{model}.parquet").to_pandas()
        pairs = scores.merge(labels).merge(points[["finding", "threshold"]])
        pairs["present"] = (pairs["label"] == "present").astype(float)
        values = pairs["present"].to_numpy(), pairs["score"].to_numpy(), pairs["threshold"].to_numpy()
        sign = 1 - 2 * pairs["present"]
        ways = {
            "plain difference from the chosen threshold": ("threshold", sign * (pairs["score"] - pairs["threshold"])),
            "log odds from the chosen threshold": ("threshold", badness(*values, margins=False)),
            "log odds from 0.5": (
                "half",
                badness(*values[:2], np.full(len(pairs), HALF), margins=False),
            ),
            "percentile": ("half", pairs.groupby("finding", group_keys=False)[["present", "score"]].apply(_by_place)),
        }
        for way, (cut, bad) in ways.items():
            missed = pairs["score"] < (HALF if cut == "half" else pairs["threshold"])
            worst = pairs.assign(bad=bad)[(pairs["present"] == 1) & missed].sort_values("bad", ascending=False)
            shown = worst.drop_duplicates("case").head(FILMS)
            n = shown["finding"].nunique()
            yield f"{model:12} {way:44} {len(worst):5} misses; the worst {FILMS} are of {n} findings"


def _by_place(pairs: pd.DataFrame) -> pd.Series[float]:
    scores, present = pairs["score"].to_numpy(), pairs["present"].to_numpy()
    above = above_usual(scores, scores, int(present.sum()), len(present))
    return pd.Series(on_wrong_side(present, above), pairs.index)


def main(words: Sequence[str] | None = None) -> int:
    """Print every line."""
    asked = command(__doc__).parse_args(words)
    return report(measured(MODELS[:1] if asked.small else MODELS), asked)


if __name__ == "__main__":
    raise SystemExit(main())
