"""The pairs of a model with `relation`: what another model says about the same pair."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from explorer.core.outcomes import WRONG
from explorer.store.filter_registry import Relation
from explorer.store.prepared.pair_tables import CALLS, WORD
from explorer.store.prepared.tables import Tables
from explorer.store.sql_literals import literal


def related_pairs(one: Tables, other: Tables) -> str:
    """Return SQL, in parentheses, for the pairs of `one` about which `other` is also wrong, or says otherwise.

    If two models make the same call and one is wrong, both are. The other model's calls are bits of its `masks`.
    """
    numbers = {finding: number for number, finding in enumerate(other.scored)}
    both = [finding for finding in one.scored if finding in numbers]
    words = _words(other.scored)
    place = f"list_extract({[numbers.get(finding, -1) for finding in one.scored]}, enum_code(finding) + 1)"

    def said(name: str) -> str:
        masks = [f"list_extract([{', '.join(f'{name}_{word}' for word in words)}], place // {WORD} + 1)"]
        return f"({masks[0]} >> (place % {WORD})) & 1 = 1"

    columns = ", ".join(f"{name}_{word}" for name in CALLS for word in words)
    return f"""(
    SELECT * EXCLUDE (place, its_call),
        CASE WHEN called <> its_call THEN 'disagree' WHEN outcome IN ({_list(WRONG)}) THEN 'both wrong' END AS relation
    FROM (
        SELECT *, CASE WHEN {said("called")} THEN true WHEN {said("uncalled")} THEN false END AS its_call
        FROM (SELECT *, rowid, {place} AS place FROM {one.pairs} WHERE finding IN ({_list(both) or "NULL"}))
            JOIN (SELECT film, {columns} FROM {other.model}.masks WHERE source IS NULL) USING (film)
    ) WHERE its_call IS NOT NULL
)"""


def related_masks(one: Tables, source: str | None) -> str | None:
    """Return SQL for the masks of `one`, whole or of a label source, beside the other model's calls, `its_...`.

    None if their findings differ.
    """
    masks = f"FROM {one.model}.masks WHERE source {'IS NULL' if source is None else f'= {literal(source)}'}"
    if one.other is None:
        return f"({masks})"
    if one.other.scored != one.scored:
        return None
    calls = ", ".join(f"{name}_{word} AS its_{name}_{word}" for name in CALLS for word in _words(one.scored))
    its = f"SELECT film, {calls} FROM {one.other.model}.masks WHERE source IS NULL"
    return f"(FROM ({masks}) JOIN ({its}) USING (film))"


def relation_bits(relation: Relation, word: int) -> str:
    """Return SQL for the findings of a word of the masks that two models call alike, or not."""
    same = f"(called_{word} & its_called_{word}) | (uncalled_{word} & its_uncalled_{word})"
    differ = f"(called_{word} & its_uncalled_{word}) | (uncalled_{word} & its_called_{word})"
    return f"({differ if relation == 'disagree' else same})"


def _words(findings: Sequence[str]) -> range:
    return range(-(-len(findings) // WORD))


def _list(words: Iterable[str]) -> str:
    return ", ".join(map(literal, words))
