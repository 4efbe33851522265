"""Draws equally by finding or outcome, using each film or patient only once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def balanced_draw(
    groups: Mapping[str, Sequence[str]], n: int, counted: Mapping[str, int] | None = None
) -> dict[str, str]:
    """Return up to `n` units, each with the group it was drawn for.

    `groups` holds each group's units in order of preference; a unit may be in several groups. Groups take turns, the
    smallest first, then by name. A group without a free unit may take one from another group that can replace it
    (augmenting paths: Kuhn, 1955). So no group could gain a unit except from one that is no larger. `counted` is how
    many units the groups already have.
    """
    wanted = {name: list(dict.fromkeys(units))[:n] for name, units in groups.items()}  # at most n are in use at once
    count = {name: (counted or {}).get(name, 0) for name in wanted}
    owner: dict[str, str] = {}
    while count and len(owner) < n:
        name = min(count, key=lambda each: (count[each], each))
        if _add_unit(name, wanted, owner, set()):
            count[name] += 1
        else:
            del count[name]  # it never will, because the units held by others only grow
    return owner


def _add_unit(name: str, wanted: Mapping[str, Sequence[str]], owner: dict[str, str], seen: set[str]) -> bool:
    """Give a group one more unit, reassigning other groups' units if needed; False if impossible."""
    seen.add(name)
    for unit in wanted[name]:
        if unit not in owner:
            owner[unit] = name
            return True
    for unit in wanted[name]:
        holder = owner[unit]
        if holder not in seen and _add_unit(holder, wanted, owner, seen):
            owner[unit] = name
            return True
    return False
