"""Reads `map.toml`, which assigns a meaning to each column of a table; see `explorer.ingest.example`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, get_args

from explorer.core.finding_names import did_you_mean, match_finding
from explorer.core.finding_relations import FindingRelation
from explorer.core.finding_words import plain
from explorer.ingest.label_words import Spelling, own_words
from explorer.ingest.value_words import ValueWords, value_words
from explorer.tabular.patient_names import PatientIds
from explorer.tabular.problems import WrongInput
from models.cards.finding_relations import stated_relations
from models.toml_text import WrongToml, toml_table


def own_relations(given: object, own: Mapping[str, str]) -> tuple[dict[str, str], tuple[FindingRelation, ...]]:
    """Return the words that equal a finding, in the form of `own_words`, and all other relations.

    `given` looks like `{"Lung Opacity": {"broader_than": ["Consolidation", "Edema"]}}`; `own` are the words of the same
    file. Raises ValueError.
    """
    aliases: dict[str, str] = {}
    relations: dict[tuple[str, str], FindingRelation] = {}
    for stated in stated_relations(given):
        word, meant = stated.finding, _known(stated.other, own)
        if stated.relation == "same as":
            aliases[plain(word)] = meant
            continue
        finding = own.get(plain(word)) or _known(word, own)
        if plain(finding) == plain(meant):
            raise ValueError(f"{word!r} cannot be {stated.relation} itself")
        if (finding, meant) in relations:
            raise ValueError(f"there are two relations of {finding!r} to {meant!r}: leave one out")
        relations[finding, meant] = FindingRelation(finding, stated.relation, meant)
    return aliases, tuple(relations.values())


def _known(word: str, own: Mapping[str, str]) -> str:
    finding = match_finding(word, own.values())
    if finding is None:
        raise ValueError(
            f"{word!r}, which has a relation, is not a finding here.{did_you_mean(word, own.values())} "
            "List a finding of your own in `findings` or in `words`"
        )
    return finding


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnMap:
    """Column names, None where the table has none, and values that hold for every row.

    `findings` is one column of words, or columns to use as findings in addition to those that name a known one. `words`
    is as `own_words` returns it; `relations` relate findings of the table to others; `values` say what its words for
    views, sexes and labels mean.
    """

    image_id: str
    file: str | None = None
    patient: str | None = None
    patients: PatientIds = "across centers"  # where an identifier means the same patient
    study: str | None = None
    center: str | None = None
    center_name: str | None = None
    view: str | None = None
    sex: str | None = None
    age: str | None = None
    width: str | None = None
    height: str | None = None
    split: str | None = None
    findings: str | tuple[str, ...] | None = None
    separator: str = "|"
    spelling: Spelling = "any"
    title: str | None = None
    source: str | None = None
    words: Mapping[str, str] = field(default_factory=dict)
    relations: tuple[FindingRelation, ...] = ()
    values: ValueWords = field(default_factory=ValueWords)
    passed_over: tuple[str, ...] = ()  # columns to ignore; set by commands, not by map.toml

    def columns(self) -> dict[str, str]:
        """Return field -> column name, without the column of findings."""
        wanted = ("image_id", "file", "patient", "study", "center", "view", "sex", "age", "width", "height", "split")
        named = {each: getattr(self, each) for each in wanted}
        return {each: name for each, name in named.items() if name is not None}


_TABLES = ("words", "relations", "values")


def read_columns(path: Path) -> ColumnMap:
    """Read a `map.toml`; raises WrongInput."""
    return _checked(path, read_toml(path))


def read_toml(path: Path) -> dict[str, Any]:
    """Return the table of a user's TOML file; raises WrongInput."""
    try:
        return toml_table(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise WrongInput(f"{path} cannot be read: {error.strerror}.") from error
    except (UnicodeDecodeError, WrongToml) as error:
        raise WrongInput(f"{path} is not TOML in UTF-8: {error}.") from error


def _checked(path: Path, table: dict[str, Any]) -> ColumnMap:
    known = [each.name for each in fields(ColumnMap) if each.name != "passed_over"]
    words, listed = table.get("words", {}), table.get("findings")
    unknown_keys = [key for key in table if key not in known]
    if unknown_keys:
        raise WrongInput(f"{path} has {', '.join(map(repr, unknown_keys))}. It may say: {', '.join(known)}.")
    if not table.get("image_id"):
        raise WrongInput(f"{path} does not say which column is the image_id.")
    if not isinstance(words, dict):
        raise WrongInput(f"{path}: words must be a table that maps words to findings.")
    columns = [("findings", each) for each in listed] if isinstance(listed, list) else []
    others = [(key, value) for key, value in table.items() if key not in _TABLES and not (columns and value is listed)]
    for key, value in (*others, *columns, *words.items()):
        if not (isinstance(value, str) and (value.strip() or (key == "separator" and value))):
            raise WrongInput(f"{path}: {key} must be a quoted text that is not blank.")
    if table.get("center") and table.get("center_name"):
        raise WrongInput(f"{path} gives both a center column and one center for all films. Leave one out.")
    if table.get("spelling", "any") not in get_args(Spelling):
        raise WrongInput(f"{path}: spelling must be one of {', '.join(get_args(Spelling))}.")
    if table.get("patients", "per center") not in get_args(PatientIds):
        raise WrongInput(f"{path}: patients must be one of {', '.join(get_args(PatientIds))}. The column is patient.")
    try:
        own = own_words(words | {column: column for _, column in columns if column not in words})
        aliases, relations = own_relations(table.get("relations", {}), own)
        values = value_words(table.get("values", {}))
    except ValueError as error:
        raise WrongInput(f"{path}: {error}.") from error
    findings = {"findings": tuple(column.strip() for _, column in columns)} if columns else {}
    stated = {"words": own | aliases, "relations": relations, "values": values}
    return ColumnMap(**table | findings | stated)
