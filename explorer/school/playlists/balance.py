"""A draw that gives every group as many as it can: of films by finding, or by outcome, each film or patient once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def balanced(groups: Mapping[str, Sequence[str]], n: int, counted: Mapping[str, int] | None = None) -> dict[str, str]:
    """Up to n units, each with the group that it is drawn for.

    `groups` holds the units of each group in the order in which they are wanted; a unit may stand in several. In turn
    the group with the fewest, the first by name, gets one more, and others give one of theirs for another where that
    makes room (augmenting paths: Kuhn, 1955). So no group has fewer than it could have without taking from one that has
    no more. `counted`: how many the groups have already.
    """
    wanted = {name: list(dict.fromkeys(units))[:n] for name, units in groups.items()}  # n at most are in use at once
    count = {name: (counted or {}).get(name, 0) for name in wanted}
    owner: dict[str, str] = {}
    while count and len(owner) < n:
        name = min(count, key=lambda each: (count[each], each))
        if _one_more(name, wanted, owner, set()):
            count[name] += 1
        else:
            del count[name]  # nor will it ever find one: what others hold only grows
    return owner


def _one_more(name: str, wanted: Mapping[str, Sequence[str]], owner: dict[str, str], seen: set[str]) -> bool:
    """Give a group one more unit, moving what others hold to where they can; False where that cannot be."""
    seen.add(name)
    for unit in wanted[name]:
        if unit not in owner:
            owner[unit] = name
            return True
    for unit in wanted[name]:
        holder = owner[unit]
        if holder not in seen and _one_more(holder, wanted, owner, seen):
            owner[unit] = name
            return True
    return False
