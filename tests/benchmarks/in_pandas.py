"""Explore's questions in pandas, as one would write them: a table of all pairs in memory, masks, sorting."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.parquet as pq

from explorer.cohorts.layout import Folder
from explorer.core.findings import FrequencyGroup
from explorer.core.worst_first import badness
from explorer.store.slices import Slice
from tests.benchmarks.big_cohort import NAME

Answer = tuple[float, int, int]  # milliseconds, pairs, films
Groups = Mapping[str, FrequencyGroup | None]


def in_pandas(place: Path, asked: Sequence[tuple[Slice, Groups]]) -> tuple[float, list[Answer]]:
    """Seconds to load the pairs of the model `one`, and for each slice its counts and what they took with a page."""
    start = time.perf_counter()
    pairs = _pairs(Folder(place / "cohorts" / NAME))
    seconds = time.perf_counter() - start
    return seconds, [_answer(pairs, chosen, groups) for chosen, groups in asked]


def _pairs(folder: Folder) -> pd.DataFrame:
    """A row for each pair, texts as categories; the labels' rows lie in the order of the scores'."""
    cases = pq.read_table(folder.cases, columns=["case", "center", "view", "sex", "age"]).to_pandas()
    labels = pq.read_table(folder.labels, columns=["finding", "label", "source"]).to_pandas()
    pairs = pq.read_table(folder.predictions("one"), columns=["score"]).to_pandas()
    films = pd.Index(cases["case"])
    order = pq.read_table(folder.predictions("one"), columns=["case"])["case"].dictionary_encode().unify_dictionaries()
    codes = np.concatenate([chunk.indices.to_numpy() for chunk in order.chunks])
    pairs["film"] = films.get_indexer(order.chunk(0).dictionary.to_pylist())[codes].astype(np.int32)
    for name in ("finding", "label", "source"):
        pairs[name] = labels[name].astype("category")
    band = pd.cut(cases["age"].fillna(-1), [-2, -1, 17, 39, 59, 79, 999])
    band = band.cat.rename_categories(["unknown", "0-17", "18-39", "40-59", "60-79", "80+"])
    for name, column in (("center", cases["center"]), ("view", cases["view"]), ("sex", cases["sex"]), ("age", band)):
        words = column.astype("category")
        pairs[name] = pd.Categorical.from_codes(words.cat.codes.to_numpy()[pairs["film"]], words.cat.categories)
    cuts = pq.read_table(folder.operating_points("one")).to_pandas().set_index("finding")["threshold"]
    threshold = pairs["finding"].cat.codes.map(dict(enumerate(cuts[pairs["finding"].cat.categories])))
    called, present = pairs["score"] >= threshold, pairs["label"] == "present"
    words = ["hit", "miss", "false alarm", "correct rejection"]
    codes = np.select([present & called, present, called], [0, 1, 2], 3).astype(np.int8)
    pairs["outcome"] = pd.Categorical.from_codes(codes, words)
    pairs["badness"] = badness(present.to_numpy(), pairs["score"].to_numpy(), threshold.to_numpy(), margins=False)
    return pairs


def _answer(pairs: pd.DataFrame, chosen: Slice, groups: Groups) -> Answer:
    start = time.perf_counter()
    kept = pairs[_mask(pairs, chosen, groups)]
    films = kept["film"].nunique()
    kept.sort_values(["badness", "film"], ascending=[False, True]).drop_duplicates("film").head(24)
    return (time.perf_counter() - start) * 1000, len(kept), int(films)


def _mask(pairs: pd.DataFrame, chosen: Slice, groups: Groups) -> np.ndarray:
    mask = np.ones(len(pairs), bool)
    values = {
        "finding": chosen.finding,
        "center": chosen.center,
        "source": chosen.label_source,
        "view": chosen.view,
        "sex": chosen.sex,
        "age": chosen.age,
    }
    for name, value in values.items():
        if value is not None:
            mask &= (pairs[name] == value).to_numpy()
    if chosen.group is not None:
        mask &= pairs["finding"].isin([name for name, group in groups.items() if group == chosen.group]).to_numpy()
    if chosen.outcomes:
        mask &= pairs["outcome"].isin([outcome.value for outcome in chosen.outcomes]).to_numpy()
    if chosen.low is not None:
        mask &= (pairs["score"].astype(float) >= chosen.low).to_numpy()
    if chosen.high is not None:
        mask &= (pairs["score"].astype(float) < chosen.high).to_numpy()
    return mask
