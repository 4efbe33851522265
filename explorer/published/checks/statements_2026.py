"""Statements of CXR-LT 2026 beside its Extended Data Tables."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from explorer.core.figures import share_text, signed
from explorer.core.word_lists import and_list
from explorer.published.checks.cells import best_columns, row_values, table
from explorer.published.checks.statement import Statement, count, same_order

PAPER = "CXR-LT 2026"
METRICS = ("mAP", "AUROC", "F1", "Precision", "Recall")  # without ECE, which is not printed as one


def statements_2026() -> Iterator[Statement]:
    """Yield the statements in the order of the paper."""
    yield _first_place()
    yield _ranking_and_calls()
    yield _unseen_are_harder()
    yield from _perturbed()
    yield _held_out_is_lower()
    yield _held_out_order()
    yield _falls_with_rarity()
    yield _common_above_rare()
    yield from _higher_at_nih()


def _first_place() -> Statement:
    cells = {team: table("2026-main-1").cells["mAP", team] for team in table("2026-main-1").columns}
    first, *others = cells.values()
    below = [(first.low or 0) > (each.high or 1) for each in others]
    second = others[0]
    return Statement(
        PAPER,
        "3.3",
        "In Task 1 the first team leads the others by a clear margin.",
        *count(below),
        f"Team A leads team B by {signed(first.value - second.value)}, but A's interval starts at "
        f"{share_text(first.low or 0, 3)} and B's ends at {share_text(second.high or 0, 3)}. The other four end below.",
        ("2026-main-1",),
        figure="first-place",
    )


def _ranking_and_calls() -> Statement:
    parts = []
    differ = []
    for task in "12":
        ranked, called = (best_columns(f"2026-main-{task}", metric) for metric in ("mAP", "F1"))
        differ.append(ranked[1] != called[1])
        parts.append(f"Task {task}: best mAP {_named(ranked)}, best F1 {_named(called)}")
    return Statement(
        PAPER,
        "3.3",
        "The team that ranks films best is not the one that calls them best.",
        *count(differ),
        "; ".join(parts) + ".",
        ("2026-main-1", "2026-main-2"),
    )


def _named(best: tuple[float, tuple[str, ...]]) -> str:
    return f"{and_list(best[1])} ({share_text(best[0], 3)})"


def _unseen_are_harder() -> Statement:
    found = [
        (team, metric, row_values("2026-main-1", metric)[team], row_values("2026-main-2", metric)[team])
        for team in ("team A", "team B")
        for metric in METRICS
    ]
    higher = [each for each in found if each[3] >= each[2]]
    return Statement(
        PAPER,
        "3.3",
        "Unseen findings lower every metric (teams A and B, five metrics).",
        *count(seen > unseen for _, _, seen, unseen in found),
        "Higher on unseen findings: " + _changes(higher) + ".",
        ("2026-main-1", "2026-main-2"),
        figure="unseen",
    )


def _changes(found: list[tuple[str, str, float, float]]) -> str:
    return (
        "; ".join(f"{who} {metric} {share_text(a, 3)} to {share_text(b, 3)}" for who, metric, a, b in found) or "none"
    )


def _perturbed() -> Iterator[Statement]:
    for metric in ("mAP", "F1"):
        found = [
            (f"Task {task} {team}", metric, value, row_values(f"2026-perturbed-{task}", metric)[team])
            for task in "12"
            for team, value in row_values(f"2026-main-{task}", metric).items()
        ]
        yield Statement(
            PAPER,
            "3.4",
            f"Perturbed films lower {metric}.",
            *count(original > perturbed for _, _, original, perturbed in found),
            "Not lower: " + _changes([each for each in found if each[3] >= each[2]]) + ".",
            ("2026-main-1", "2026-perturbed-1", "2026-main-2", "2026-perturbed-2"),
            figure=f"perturbed-{metric.lower()}",
        )


def _held_out_is_lower() -> Statement:
    found = [
        (f"Task {task} {team}", value, row_values(f"2026-held-out-{task}", "mAP")[team])
        for task in "12"
        for team, value in row_values(f"2026-main-{task}", "mAP").items()
    ]
    lower = [f"{who} {share_text(a, 3)} to {share_text(b, 3)}" for who, a, b in found if b < a]
    most, leaders = best_columns("2026-held-out-1", "mAP")
    return Statement(
        PAPER,
        "3.5",
        "Scores on held-out subsets are usually lower than in the main test (mAP).",
        *count(held_out < main for _, main, held_out in found),
        f"Lower: {'; '.join(lower)}. Task 1 is led by {and_list(leaders)} with {share_text(most, 3)}, from "
        f"{share_text(row_values('2026-main-1', 'mAP')[leaders[0]], 3)} in the main test.",
        ("2026-main-1", "2026-held-out-1", "2026-main-2", "2026-held-out-2"),
        figure="held-out",
    )


def _held_out_order() -> Statement:
    found = [
        same_order(row_values(f"2026-main-{task}", "mAP"), row_values(f"2026-held-out-{task}", "mAP")) for task in "12"
    ]
    orders = [row_values(f"2026-held-out-{task}", "mAP") for task in "12"]
    words = [", ".join(team[-1] for team in sorted(order, key=lambda team: -order[team])) for order in orders]
    return Statement(
        PAPER,
        "3.5",
        "Held-out subsets rank the teams much like the main test (pairs of teams by mAP).",
        sum(holds for holds, _ in found),
        sum(pairs for _, pairs in found),
        f"Held-out order in Task 1: {words[0]}; in Task 2: {words[1]}.",
        ("2026-main-1", "2026-held-out-1", "2026-main-2", "2026-held-out-2"),
        figure="held-out",
    )


def _falls_with_rarity() -> Statement:
    groups = table("2026-groups")
    values = {team: [groups.cells[row, team].value for row in groups.rows] for team in groups.columns}
    rises = [
        f"{team} {groups.rows[place]} {share_text(one, 3)}, {groups.rows[place + 1]} {share_text(other, 3)}"
        for team, figures in values.items()
        for place, (one, other) in enumerate(pairwise(figures))
        if other >= one
    ]
    common = values["team A"][groups.rows.index("common")]
    return Statement(
        PAPER,
        "3.6, 4",
        "mAP falls with each rarer frequency group (teams).",
        *count(all(one > other for one, other in pairwise(figures)) for figures in values.values()),
        f"Rises: {'; '.join(rises)}. Team A's very rare group is above its common one ({share_text(common, 3)}).",
        ("2026-groups",),
        figure="rarity",
    )


def _common_above_rare() -> Statement:
    common, rare = row_values("2026-groups", "common"), row_values("2026-groups", "rare")
    gaps = {team: common[team] - rare[team] for team in common}
    return Statement(
        PAPER,
        "3.6",
        "Rare findings stay well below common ones (teams).",
        *count(gap > 0 for gap in gaps.values()),
        f"Gaps from {share_text(min(gaps.values()), 3)} to {share_text(max(gaps.values()), 3)}.",
        ("2026-groups",),
        figure="rarity",
    )


def _higher_at_nih() -> Iterator[Statement]:
    for metric in ("mAP", "AUROC"):
        inside, outside = (row_values("2026-centers", f"{metric} at {center}") for center in ("PadChest", "NIH"))
        changes = "; ".join(
            f"{team} {share_text(value, 3)} to {share_text(outside[team], 3)}" for team, value in inside.items()
        )
        yield Statement(
            PAPER,
            "3.7",
            f"All methods do better at NIH than at PadChest, by {metric}.",
            *count(outside[team] > value for team, value in inside.items()),
            f"PadChest to NIH: {changes}.",
            ("2026-centers",),
            figure="centers",
        )
