"""The tour of a first visit: two minutes through the tabs, each step with a link that shows what it speaks of.

What a step says holds whatever the numbers come out as.
"""

from __future__ import annotations

from typing import TypedDict

SAMPLE, FINDING = "phantom-effusion", "Pleural Effusion"
FILM = f"#read?sample={SAMPLE}"
LOOKED_AT = f"{FILM}&look={FINDING.replace(' ', '+')}"


class TourStepPayload(TypedDict):
    """A sentence or two, and the link with its words that sets the page."""

    words: str
    link: str
    go: str


class TourPayload(TypedDict):
    """The tour as the bar above the tabs shows it."""

    title: str
    steps: list[TourStepPayload]


STEPS: tuple[TourStepPayload, ...] = (
    {
        "words": "Drop a film here, or open a sample, like this simulated one. Beside it stand the model's findings: "
        "the flagged ones first, those most often correct at the top. What is uncertain or not flagged is folded.",
        "link": FILM,
        "go": "Open the sample",
    },
    {
        "words": "Choose a finding. Below the list stands how often this model is wrong about it, with the number of "
        "films and a 95 % interval. Under the film stands how often such a map finds its target; where it may do so no "
        "better than knowing the usual place, no map is shown unless you ask.",
        "link": LOOKED_AT,
        "go": "Choose Pleural Effusion",
    },
    {
        "words": "Ask takes a finding in words, also one that no model was trained on, and an image-text model scores "
        "the same film. The answer says how many of such films have it, or that nobody knows.",
        "link": "#ask",
        "go": "Open Ask",
    },
    {
        "words": "Explore has the films behind these rates: what a model missed, worst first, by finding, frequency "
        "and center. Whatever you click narrows the films, and the sentence at the top says which ones you see.",
        "link": "#explore",
        "go": "Open Explore",
    },
    {
        "words": "Evaluate sets the models of a cohort side by side on the same films: by group of findings, with the "
        "difference to any of them, and how sure their order is. Published teams stand beneath, on another test set.",
        "link": "#evaluate",
        "go": "Open Evaluate",
    },
    {
        "words": "Simulate draws a film of any finding you choose, with its exact mask and its healthy twin, and the "
        "models read it at once. Six short lessons begin there.",
        "link": "#simulate",
        "go": "Open Simulate",
    },
    {
        "words": "Teach makes playlists of films, each with a question, and holds a class with them: learners answer "
        "on their own devices, and you reveal. Press ? for the glossary and this tour.",
        "link": "#teach",
        "go": "Open Teach",
    },
)


def tour(nothing: object) -> TourPayload:
    """The tour as the bar above the tabs shows it."""
    return {"title": "Tour", "steps": list(STEPS)}
