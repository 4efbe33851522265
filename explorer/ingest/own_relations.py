"""What a `map.toml` says of how findings of its table are related to others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from explorer.core.finding_names import did_you_mean, named_among
from explorer.core.finding_relations import FindingRelation, Relation
from explorer.core.finding_words import plain
from explorer.core.word_lists import listed

# As they are written, the finding before them and the others behind them.
_WRITTEN: Mapping[str, Relation] = {
    "same_as": "same as",
    "broader_than": "broader than",
    "narrower_than": "narrower than",
    "related_to": "related to",
}


def own_relations(given: object, own: Mapping[str, str]) -> tuple[dict[str, str], tuple[FindingRelation, ...]]:
    """The words that are the same as a finding, as `own_words` has them, and all other relations.

    `given` is like `{"Lung Opacity": {"broader_than": ["Consolidation", "Edema"]}}`, `own` the words of the same file.
    Raises ValueError.
    """
    if not isinstance(given, dict):
        raise ValueError('relations is a table, such as "Lung Opacity" = { broader_than = "Consolidation" }')
    aliases: dict[str, str] = {}
    relations: dict[tuple[str, str], FindingRelation] = {}
    for word, written in given.items():
        for relation, other in _stated(word, written):
            meant = _known(other, own)
            if relation == "same as":
                aliases[plain(word)] = meant
                continue
            finding = own.get(plain(word)) or _known(word, own)
            if plain(finding) == plain(meant):
                raise ValueError(f"{word!r} cannot be {relation} itself")
            if (finding, meant) in relations:
                raise ValueError(f"two relations of {finding!r} to {meant!r} are stated: leave one out")
            relations[finding, meant] = FindingRelation(finding, relation, meant)
    return aliases, tuple(relations.values())


def _stated(word: str, written: object) -> Iterator[tuple[Relation, str]]:
    if not isinstance(written, dict) or not written or not written.keys() <= _WRITTEN.keys():
        raise ValueError(
            f"what {word!r} is to other findings is not understood: say one of {listed(_WRITTEN)}, "
            f'such as "{word}" = {{ broader_than = "Consolidation" }}'
        )
    for name, others in written.items():
        for other in others if isinstance(others, list) else [others]:
            if not isinstance(other, str) or not other.strip():
                raise ValueError(f"{word!r}: what it is {_WRITTEN[name]} must be a quoted text, or several in brackets")
            yield _WRITTEN[name], other


def _known(word: str, own: Mapping[str, str]) -> str:
    finding = named_among(word, own.values())
    if finding is None:
        raise ValueError(
            f"{word!r}, of which a relation is stated, is not a finding here.{did_you_mean(word, own.values())} "
            "A finding of your own stands in `findings` or has a line in `words`"
        )
    return finding
