"""`demo`: rebuild the shipped cohort nih-oof."""

from __future__ import annotations

from explorer.cli.ending import report_refusals
from explorer.cli.say import say


def demo() -> None:
    """Rebuild the shipped cohort nih-oof in cache/ from the numbers shipped with the models. No image is needed.

    The other shipped cohort, phantom, which Explore opens first, is rebuilt by
    `python -m explorer.workshop.shipping.phantom_cohort --run RUN`, which first renders 2,000 films into the folder
    RUN.

    \b
    Exit codes:
      0  done
      2  the numbers of a shipped model are missing
    """
    from explorer.cohorts.layout import CACHE
    from explorer.cohorts.manifest import read_manifest
    from explorer.workshop.demo.nih_oof import write_demo

    with report_refusals():
        folder = write_demo(CACHE)
        say(f"{folder.name}: {read_manifest(folder.manifest).cases:,} cases.")
        say("To rebuild the simulated cohort: python -m explorer.workshop.shipping.phantom_cohort --run RUN")
