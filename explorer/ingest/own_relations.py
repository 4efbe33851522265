"""Reads from `map.toml` how findings of a table relate to others."""

from __future__ import annotations

from collections.abc import Mapping

from explorer.core.finding_names import did_you_mean, match_finding
from explorer.core.finding_relations import FindingRelation
from explorer.core.finding_words import plain
from models.cards.finding_relations import stated_relations


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
