"""Compares, on real films, linear probes of networks pretrained on different numbers of simulated films.

`python -m explorer.workshop.lab.simulated_starts` writes the figures that Evaluate draws.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from explorer.core.word_lists import suggestion
from explorer.workshop.lab.interval_words import interval_words
from explorer.workshop.lab.real_films import MACRO_MEAN, compare_models, read_out_of_fold
from models.cards.start_probes import StartFigure, probed_starts, starting_networks, write_figures
from models.training.lab_recipe import WrongRecipe


def compare_starts(against: str | None = None, resamples: int = 1000) -> tuple[StartFigure, ...]:
    """Return every start's macro AUROC within folders and folds, and its paired difference from one of them.

    The reference is `against`, by default the first start in the list; it comes first. Raises WrongRecipe for an
    unknown start, and ValueError if the probes' films are not those of `nih-mini`.
    """
    probed, films = probed_starts(), read_out_of_fold(("nih-mini",))
    if probed.image_ids != films.image_ids:
        raise ValueError("The probes belong to other films than nih-mini. Compute both from the same folder.")
    logits = probed.logits
    if against is not None:
        if against not in logits:
            raise WrongRecipe(f"No network {against!r} was probed", suggestion(against, logits))
        logits = {against: logits[against]} | logits  # a dict keeps the position at which a key was first inserted
    figures = compare_models(replace(films, logits=logits), resamples)
    return tuple(
        StartFigure(each.model, *each.value, *(each.ahead or (0.0, 0.0, 0.0)))
        for each in figures
        if each.finding == MACRO_MEAN
    )


def starts_table(figures: Sequence[StartFigure]) -> str:
    """Return a table: one line per start, with its difference from the first start below its figure."""
    lines = ["| start | simulated films | masks | learned from | macro AUROC |", "|---|---|---|---|---|"]
    known = starting_networks()
    for place, each in enumerate(figures):
        start = known[each.start]
        masks = "yes" if start.masks else "no"
        ahead = (each.ahead, each.ahead_low, each.ahead_high) if place else None
        macro = interval_words((each.value, each.low, each.high), ahead)
        lines.append(f"| `{start.name}` | {start.films:,} | {masks} | {start.learned} | {macro} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    write_figures(compare_starts())
