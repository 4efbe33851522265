"""Schemas of a cohort's Parquet files. Identifiers are text; a finding without a row is unlabeled."""

from __future__ import annotations

from typing import Literal, get_args

import pyarrow as pa

from models.films.film import View

Label = Literal["present", "absent", "uncertain", "unknown"]
Sex = Literal["F", "M", "unknown"]
Unit = Literal["score", "margin"]  # a score from 0 to 1, or the similarity of a film and a text

LABELS: tuple[Label, ...] = get_args(Label)
SEXES: tuple[Sex, ...] = get_args(Sex)
VIEWS: tuple[View, ...] = get_args(View)

NO_CENTER = "no center stated"  # center of films if their source names none
NO_SPLIT = "no split stated"  # shown for films that are in no split

_WORD = pa.dictionary(pa.int32(), pa.string())  # text with few distinct values


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
        pa.field("split", _WORD),  # fold or part of the cohort, such as train, val, test
        pa.field("root", _WORD),  # name of the image folder, see explorer.cohorts.images
        pa.field("file", pa.string()),  # below that folder, with /
        pa.field("width", pa.int32()),  # of the original film, in pixels
        pa.field("height", pa.int32()),
        # Weight of a film that restores natural prevalence; null: all count the same. See OPTIONAL.
        pa.field("weight", pa.float64()),
    ]
)
OPTIONAL = frozenset({"weight"})  # columns missing in older files, read as null
LABEL_ROWS = pa.schema(
    [
        _required("case", pa.string()),
        _required("finding", _WORD),
        _required("label", _WORD),  # LABELS
        _required("source", _WORD),
    ]
)
PREDICTIONS = pa.schema(
    [
        _required("case", pa.string()),
        _required("finding", _WORD),
        _required("score", pa.float32()),  # unrounded, finite
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
        _required("case", pa.string()),  # sorted
        _required("x", pa.uint16()),  # see explorer.core.map_area
        _required("y", pa.uint16()),
    ]
)
OPERATING_POINTS = pa.schema(
    [
        _required("finding", _WORD),
        pa.field("split", _WORD),  # null: for every film; else only for films of this split
        _required("threshold", pa.float64()),  # called present if score >= threshold
        _required("rule", _WORD),
    ]
)
# The appearance of a finding that is present; rows are optional.
APPEARANCES = pa.schema(
    [
        _required("case", pa.string()),
        _required("finding", _WORD),
        pa.field("severity", pa.float64()),  # from 0, subtle, to 1, obvious
        pa.field("side", _WORD),  # SIDES; null: not stated
        pa.field("area", pa.float64()),  # share of the film covered by the finding's mask
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
# Reports of films, as they were labeled: what each says of a finding, and where. Positions are characters of the text.
MENTION = pa.struct(
    [
        _required("finding", pa.string()),
        pa.field("state", pa.string()),  # present, absent, uncertain; null: the report does not say it of this film
        _required("start", pa.int32()),
        _required("end", pa.int32()),
        pa.field("cue_start", pa.int32()),  # of the words that decided; null: the phrase alone did
        pa.field("cue_end", pa.int32()),
    ]
)
REPORTS = pa.schema(
    [
        _required("case", pa.string()),  # sorted
        _required("text", pa.string()),
        _required("source", _WORD),  # of the labels made from it
        _required("mentions", pa.list_(MENTION)),
    ]
)
