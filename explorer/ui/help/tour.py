"""The tour for new visitors: two minutes through the tabs, each step with a link that shows its topic.

Its sentences hold whatever the numbers are.
"""

from __future__ import annotations

from typing import TypedDict

TOUR_SAMPLE, TOUR_FINDING = "phantom-effusion", "Pleural Effusion"
SAMPLE_LINK = f"#read?sample={TOUR_SAMPLE}"
FINDING_LINK = f"{SAMPLE_LINK}&look={TOUR_FINDING.replace(' ', '+')}"


class TourStepPayload(TypedDict):
    """A sentence or two, and the link that shows their topic, with its label."""

    words: str
    link: str
    go: str


class TourPayload(TypedDict):
    """The tour, for the bar above the tabs."""

    title: str
    steps: list[TourStepPayload]


TOUR_STEPS: tuple[TourStepPayload, ...] = (
    {
        "words": "Drop a film here, or open a sample, like this simulated one. Next to it are the model's findings: "
        "flagged ones first, most reliable on top. Uncertain and unflagged findings are folded.",
        "link": SAMPLE_LINK,
        "go": "Open the sample",
    },
    {
        "words": "Choose a finding. Below the list you see how often this model is wrong about it, with the number of "
        "films and a 95 % interval. Under the film you see how often such a map finds its target; a map that may be no "
        "better than knowing the usual place is hidden unless you ask.",
        "link": FINDING_LINK,
        "go": "Choose Pleural Effusion",
    },
    {
        "words": "Ask takes a finding in words, even one that no model was trained on, and an image-text model scores "
        "the same film. The answer says how many such films have it, or that this is unknown.",
        "link": "#ask",
        "go": "Open Ask",
    },
    {
        "words": "Explore shows the films behind these rates: what a model missed, worst first, by finding, frequency "
        "and center. Each click narrows the selection, and the sentence at the top says which films you see.",
        "link": "#explore",
        "go": "Open Explore",
    },
    {
        "words": "Evaluate compares a cohort's models on the same films: by group of findings, with the difference to "
        "any of them, and how certain their order is. Published teams are listed below, on another test set.",
        "link": "#evaluate",
        "go": "Open Evaluate",
    },
    {
        "words": "Simulate draws a film of any finding you choose, with its exact mask and its healthy twin, and the "
        "models read it at once. Six short lessons start there.",
        "link": "#simulate",
        "go": "Open Simulate",
    },
    {
        "words": "Teach makes playlists of films, each with a question, and runs a class with them: learners answer "
        "on their own devices before you reveal the truth. Press ? for the glossary and this tour.",
        "link": "#teach",
        "go": "Open Teach",
    },
)


def tour(_: object) -> TourPayload:
    """The tour, for the bar above the tabs."""
    return {"title": "Tour", "steps": list(TOUR_STEPS)}
