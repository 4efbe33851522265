"""How findings of different label lists are related: equal, broader or narrower.

Read a relation from left to right: `Lung Opacity` is broader than `Consolidation`. Relations are not transitive: if a
is narrower than b, and b than c, nothing follows about a and c. Sources: `explorer/core/data/README.md`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, get_args

from explorer.core.data_files import data_rows
from explorer.core.finding_words import finding_of, plain
from explorer.core.findings import FINDINGS, NIH_WORDS
from explorer.core.word_lists import and_list

Relation = Literal["same as", "broader than", "narrower than", "related to"]
# Where a relation comes from. `word`: the label lists, or findings.csv, which has PadChest's and NIH's words.
Basis = Literal["word", "paper", "ours", "cohort", "model"]

RELATIONS: tuple[Relation, ...] = get_args(Relation)
# Relation of a to b -> relation of b to a.
INVERSE: Mapping[Relation, Relation] = MappingProxyType(
    {
        "same as": "same as",
        "broader than": "narrower than",
        "narrower than": "broader than",
        "related to": "related to",
    }
)
BASIS_WORDS: Mapping[Basis, str] = MappingProxyType(
    {
        "word": "words of the datasets",
        "paper": "a paper",
        "ours": "Tailscope, not a paper",
        "cohort": "this cohort",
        "model": "this model",
    }
)

_AS: Mapping[Basis, str] = {
    "word": "by the words of the datasets",
    "paper": "as a paper states",
    "ours": "as Tailscope states, not a paper",
    "cohort": "as this cohort states",
    "model": "as the model's card states",
}


@dataclass(frozen=True, slots=True)
class FindingRelation:
    """`finding` is `relation` `other`, as stored in a cohort's manifest."""

    finding: str
    relation: Relation
    other: str


@dataclass(frozen=True, slots=True)
class KnownRelation:
    """The relation of two findings, who states it, and its source."""

    relation: Relation
    basis: Basis
    source: str


_Pairs = Mapping[tuple[str, str], KnownRelation]


def relation_of(
    finding: str, other: str, stated: Iterable[FindingRelation] = (), by_model: Iterable[FindingRelation] = ()
) -> KnownRelation | None:
    """Return the relation of a finding to another one; None if none is known.

    Relations `stated` by a cohort come first, because its maker knows best what was labeled, then those on a model's
    card (`by_model`).
    """
    if (same := _same_word(finding, other)) is not None:
        return same
    pair = _key(finding), _key(other)
    own: tuple[tuple[Basis, str, Iterable[FindingRelation]], ...] = (
        ("cohort", "its map.toml", stated),
        ("model", "its card", by_model),
    )
    for basis, source, relations in own:
        for each in relations:
            if (_key(each.finding), _key(each.other)) == pair:
                return KnownRelation(each.relation, basis, source)
            if (_key(each.other), _key(each.finding)) == pair:
                return KnownRelation(INVERSE[each.relation], basis, source)
    return _STATED.get(pair)


def stated_words(stated: Iterable[FindingRelation]) -> list[str]:
    """Return phrases such as `Lung Opacity is broader than Consolidation and Edema`."""
    groups: dict[tuple[str, str], list[str]] = {}
    for each in stated:
        groups.setdefault((each.finding, each.relation), []).append(each.other)
    return [f"{finding} is {relation} {and_list(others)}" for (finding, relation), others in groups.items()]


def related_words(finding: str, by_model: Iterable[FindingRelation] = ()) -> list[str]:
    """Return phrases for a model's finding, such as `broader than Consolidation and Edema, as a paper states`.

    For one of our findings, only the relations on the model's card are used; for any other, known relations too.
    """
    stated = tuple(by_model)
    others = [each.other for each in stated if each.finding == finding]
    others += [each.finding for each in stated if each.other == finding]
    if finding not in FINDINGS:
        others += [name for name in FINDINGS if name not in others]
    groups: dict[tuple[Relation, Basis], list[str]] = {}
    for other in others:
        known = relation_of(finding, other, by_model=stated)
        if known is not None and known.relation != "same as":
            groups.setdefault((known.relation, known.basis), []).append(other)
    return [f"{relation} {and_list(names)}, {_AS[basis]}" for (relation, basis), names in groups.items()]


def _same_word(finding: str, other: str) -> KnownRelation | None:
    if _key(finding) != _key(other):
        return None
    if plain(finding) == plain(other):
        return KnownRelation("same as", "word", "the same word")
    by_nih = {plain(finding), plain(other)} & _NIH - {_key(finding)}
    source = "NIH's word for it" if by_nih else "PadChest's only word for it"
    return KnownRelation("same as", "word", source)


def _key(word: str) -> str:
    """Return a key that is equal for words with the same meaning."""
    return plain(finding_of(word) or word)


def _stated() -> _Pairs:
    """Return relations by pair of keys, in both directions."""
    pairs: dict[tuple[str, str], KnownRelation] = {}

    def state(finding: str, relation: Relation, other: str, basis: Basis, source: str) -> None:
        one, two = _key(finding), _key(other)
        if one != two:
            pairs.setdefault((one, two), KnownRelation(relation, basis, source))
            pairs.setdefault((two, one), KnownRelation(INVERSE[relation], basis, source))

    for each in FINDINGS.values():
        for word in each.padchest_words:
            state(word, "narrower than", each.name, "word", "PadChest's word, as this project's table groups them")
    for row in data_rows("finding_relations.csv"):
        relation: Relation = next(known for known in RELATIONS if known == row["relation"])
        basis: Basis = "paper" if row["basis"] == "paper" else "ours"
        state(row["finding"], relation, row["other"], basis, row["source"])
    return MappingProxyType(pairs)


_NIH = frozenset(map(plain, NIH_WORDS))
_STATED = _stated()
