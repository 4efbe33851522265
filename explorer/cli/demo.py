"""`demo`: the shipped cohorts, made again."""

from __future__ import annotations

from explorer.cli.ending import report_refusals
from explorer.cli.say import say


def demo() -> None:
    """Make the shipped cohort nih-oof in cache/ again, from the numbers beside the shipped models. No image is needed.

    The other one, phantom, which Explore opens first, is made again by
    `python -m explorer.workshop.shipping.phantom_cohort --run RUN`: it renders 2,000 films into the folder RUN first.

    \b
    Exit codes:
      0  done
      2  the numbers of a shipped model are not there
    """
    from explorer.cohorts.layout import CACHE
    from explorer.cohorts.manifest import read_manifest
    from explorer.workshop.demo.nih_oof import write_demo

    with report_refusals():
        folder = write_demo(CACHE)
        say(f"{folder.name}: {read_manifest(folder.manifest).cases:,} cases.")
        say("The simulated cohort, phantom, is made by: python -m explorer.workshop.shipping.phantom_cohort --run RUN")
