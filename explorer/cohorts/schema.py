"""What each Parquet file of a cohort holds. Identifiers are text; no row of a finding: its label is unknown."""

from __future__ import annotations

from typing import Literal, get_args

import pyarrow as pa

from models.films.film import View

Label = Literal["present", "absent", "uncertain", "unknown"]
Sex = Literal["F", "M", "unknown"]
Unit = Literal["score", "margin"]  # of what a model says: from 0 to 1, or as alike as a film and a text are

LABELS: tuple[Label, ...] = get_args(Label)
SEXES: tuple[Sex, ...] = get_args(Sex)
VIEWS: tuple[View, ...] = get_args(View)

NO_CENTER = "no center stated"  # the center of films of which nobody says it

_WORD = pa.dictionary(pa.int32(), pa.string())  # a text of few different values


def _required(name: str, kind: pa.DataType) -> pa.Field:
    return pa.field(name, kind, nullable=False)


CASES = pa.schema(
    [
        _required("case", pa.string()),
        pa.field("patient", pa.string()),
        pa.field("study", pa.string()),
        _required("center", _WORD),
        _required("view", _WORD),  # VIEWS
        _required("sex", _WORD),  # SEXES
        pa.field("age", pa.int16()),  # years
        pa.field("split", _WORD),  # the fold or part of the cohort that a film is in, where operating points ask for it
        pa.field("root", _WORD),  # name of the image folder, see explorer.cohorts.images
        pa.field("file", pa.string()),  # below that folder, with /
        pa.field("width", pa.int32()),  # of the film as it was made, in pixels
        pa.field("height", pa.int32()),
        # Nature's share of a film that was not drawn as nature has them; null: each counts the same. See OPTIONAL.
        pa.field("weight", pa.float64()),
    ]
)
OPTIONAL = frozenset({"weight"})  # columns that older files do not have: null there
LABEL_ROWS = pa.schema(
    [
        _required("case", pa.string()),
        _required("finding", _WORD),
        _required("label", _WORD),  # LABELS
        _required("source", _WORD),  # who says so
    ]
)
PREDICTIONS = pa.schema(
    [
        _required("case", pa.string()),
        _required("finding", _WORD),
        _required("score", pa.float32()),  # as the model gave it, finite
    ]
)
EMBEDDINGS = pa.schema(
    [
        _required("case", pa.string()),
        _required("features", pa.binary()),  # float16, little endian
    ]
)
FILM_MAP = pa.schema(
    [
        _required("case", pa.string()),  # in their order
        _required("x", pa.uint16()),  # see explorer.core.map_area
        _required("y", pa.uint16()),
    ]
)
OPERATING_POINTS = pa.schema(
    [
        _required("finding", _WORD),
        pa.field("split", _WORD),  # null: for every film; else for films of this split alone
        _required("threshold", pa.float64()),  # called present where score >= threshold
        _required("rule", _WORD),
    ]
)
# How a finding that is present looks; a cohort need not know it of any.
APPEARANCES = pa.schema(
    [
        _required("case", pa.string()),
        _required("finding", _WORD),
        pa.field("severity", pa.float64()),  # from 0, subtle, to 1, obvious
        pa.field("side", _WORD),  # SIDES; null: not stated
        pa.field("area", pa.float64()),  # share of the film that the finding's mask covers
    ]
)
BOXES = pa.schema(
    [
        _required("case", pa.string()),
        _required("finding", _WORD),
        *(_required(side, pa.float32()) for side in ("x", "y", "width", "height")),  # fractions of the film's sides
        _required("source", _WORD),
    ]
)
