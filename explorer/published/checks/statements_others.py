"""Statements of CXR-LT 2023, CheXpert and REVEAL-CXR beside their tables."""

from __future__ import annotations

from collections.abc import Iterator

from explorer.core.figures import share_text
from explorer.core.word_lists import and_list
from explorer.published.challenge_tables import MEAN_ROW
from explorer.published.checks.cells import best_columns, findings_of, row_values, table
from explorer.published.checks.statement import Statement, count, same_order
from explorer.published.transcribed_tables import CHEXPERT, REVEAL

CXR_LT_2023 = "CXR-LT 2023"
LEAST_2023 = 0.063  # the smallest of the findings' best APs, as the text states
KAPPA, KAPPA_RANGE = "Cohen's kappa", (0.744, 0.809)  # of findings other than airspace opacity, as the text states
LABELER_TASKS = ("Mention", "Negation", "Uncertain")


def statements_2023() -> Iterator[Statement]:
    """Yield the statements of CXR-LT 2023, section 3.3."""
    best = {row: best_columns("2023-ap", row) for row in findings_of("2023-ap")}
    below = [f"{row} {share_text(value, 3)}" for row, (value, _) in best.items() if value < LEAST_2023]
    yield Statement(
        CXR_LT_2023,
        "3.3.1",
        "The best AP of each finding is 0.063 or more.",
        *count(value >= LEAST_2023 for value, _ in best.values()),
        f"Below: {and_list(below)}.",
        ("2023-ap",),
        figure="least-ap",
    )
    alone = [row for row, (_, teams) in best.items() if teams == ("T1",)]
    shared = [row for row, (_, teams) in best.items() if "T1" in teams and len(teams) > 1]
    yield Statement(
        CXR_LT_2023,
        "3.3.1",
        "T1 is best for 20 of 26 findings.",
        int(len(alone) == 20),
        1,
        f"T1 is alone in {len(alone)}, and shares {and_list(shared)}.",
        ("2023-ap",),
    )
    gold = [
        (row, team, value, row_values("2023-ap-gold", row)[team])
        for row in findings_of("2023-ap")
        for team, value in row_values("2023-ap", row).items()
    ]
    never = [row for row in findings_of("2023-ap") if not any(b > a for each, _, a, b in gold if each == row)]
    yield Statement(
        CXR_LT_2023,
        "3.3.2",
        "AP is generally higher on the gold standard (findings of teams).",
        *count(b > a for _, _, a, b in gold),
        f"Lower for every team: {and_list(never)}.",
        ("2023-ap", "2023-ap-gold"),
        figure="gold-ap",
    )
    means = row_values("2023-ap", MEAN_ROW), row_values("2023-ap-gold", MEAN_ROW)
    words = [", ".join(sorted(each, key=lambda team: -each[team])) for each in means]
    yield Statement(
        CXR_LT_2023,
        "3.3.2",
        "The gold standard ranks the teams like the test set (pairs of teams by mAP, ties left out).",
        *same_order(*means),
        f"Test set: {words[0]} (T2 and T3 tie). Gold standard: {words[1]}.",
        ("2023-ap", "2023-ap-gold"),
    )


def statements_chexpert() -> Iterator[Statement]:
    """Yield the statements of CheXpert on its labeler and its policies."""
    compared = [
        (
            row_values("chexpert-labeler", row)[f"{task} F1, CheXpert"],
            row_values("chexpert-labeler", row)[f"{task} F1, NIH"],
        )
        for row in table("chexpert-labeler").rows
        for task in LABELER_TASKS
        if f"{task} F1, NIH" in row_values("chexpert-labeler", row)
    ]
    yield Statement(
        CHEXPERT,
        "Labeler results",
        "CheXpert's labeler has a higher F1 than the NIH's for every finding and task that both have.",
        *count(own > other for own, other in compared),
        f"Smallest lead {share_text(min(own - other for own, other in compared), 3)}.",
        ("chexpert-labeler",),
        figure="labeler",
    )
    values = row_values("chexpert-policies", "Consolidation")
    order = sorted(values, key=lambda policy: -values[policy])
    words = ", ".join(f"{policy} {share_text(values[policy], 3)}" for policy in order)
    for says, holds in (("best", order[0] == "U-Zeros"), ("worst", order[-1] == "U-Ones")):
        policy = "U-Zeros" if says == "best" else "U-Ones"
        yield Statement(
            CHEXPERT,
            "Validation results",
            f"{policy} does {says} for consolidation.",
            int(holds),
            1,
            f"In order: {words}.",
            ("chexpert-policies",),
            figure="policies",
        )
    chosen = {
        "Atelectasis": "U-Ones",
        "Cardiomegaly": "U-MultiClass",
        "Consolidation": "U-SelfTrained",
        "Edema": "U-Ones",
        "Pleural Effusion": "U-MultiClass",
    }
    yield Statement(
        CHEXPERT,
        "Test results",
        "The final model takes each finding's best policy on the validation set.",
        *count(best_columns("chexpert-policies", row)[1] == (policy,) for row, policy in chosen.items()),
        "; ".join(f"{row}: {policy}" for row, policy in chosen.items()) + ".",
        ("chexpert-policies",),
    )


def statements_reveal() -> Iterator[Statement]:
    """Yield the statements of REVEAL-CXR on agreement and balance."""
    least, most = KAPPA_RANGE
    kappas = {row: row_values("reveal-agreement", row)[KAPPA] for row in table("reveal-agreement").rows}
    others = {row: kappa for row, kappa in kappas.items() if row != "Airspace opacity"}
    low = [f"{row} {share_text(kappa, 3)}" for row, kappa in others.items() if kappa < least]
    yield Statement(
        REVEAL,
        "Abstract",
        "Findings other than airspace opacity have a kappa from 0.744 to 0.809.",
        *count(least <= kappa <= most for kappa in others.values()),
        f"Below: {and_list(low)}.",
        ("reveal-agreement",),
        figure="kappa",
    )
    above = sum(kappa > 0.7 for kappa in kappas.values())
    yield Statement(
        REVEAL,
        "4.2",
        "Nine findings have a kappa above 0.7.",
        int(above == 9),
        1,
        f"{above} of {len(kappas)} do; the lowest is airspace opacity, {share_text(kappas['Airspace opacity'], 3)}.",
        ("reveal-agreement",),
        figure="kappa",
    )
    printed = [row_values("reveal-balance", row)["p"] for row in table("reveal-balance").rows]
    yield Statement(
        REVEAL,
        "4.1",
        "No characteristic of acquisition differs between the halves (p above 0.05).",
        *count(p > 0.05 for p in printed),
        f"Smallest printed p {share_text(min(printed), 3)}.",
        ("reveal-balance",),
    )
