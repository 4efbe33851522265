"""What the values of Explore's filters are called: in menus, and in the sentence of a slice."""

from __future__ import annotations

from explorer.core.appearance_bands import Side
from explorer.core.findings import ChallengeTask, Outcome
from explorer.core.outcomes import WRONG
from explorer.store.filter_kinds import as_word

RIGHT = (Outcome.HIT, Outcome.CORRECT_REJECTION)
OUTCOMES: dict[str, tuple[Outcome, ...]] = {
    **{as_word(each): (each,) for each in Outcome},
    "wrong": WRONG,
    "right": RIGHT,
}
OUTCOME_TITLES = {
    WRONG: "wrong: miss or false alarm",
    RIGHT: "right: hit or correct rejection",
}
TASK_TITLES: dict[ChallengeTask, str] = {"seen": "seen (Task 1)", "unseen": "unseen (Task 2)"}
SIDE_TITLES: dict[Side, str] = {"left": "left", "right": "right", "both": "both sides", "none": "no side"}
ON_SIDES: dict[Side, str] = {
    "left": "on the left",
    "right": "on the right",
    "both": "on both sides",
    "none": "which have no side",
}
SEXES = {"F": "female", "M": "male", "unknown": "not known"}
PEOPLE = {"F": "women and girls", "M": "men and boys", "unknown": "sex not known"}
FINDINGS_PER_FILM = {
    "none": "none",
    "1": "1",
    "2-3": "2 or 3",
    "4+": "4 or more",
    "unknown": "not known",
}
FILMS_BY_FINDINGS = {
    "none": "films without a finding",
    "1": "films with 1 finding",
    "2-3": "films with 2 or 3 findings",
    "4+": "films with 4 or more findings",
    "unknown": "films with an unknown number of findings",
}
AGES = {"unknown": "age not known", "80+": "80 years or older"}
RELATION_WORDS = {"both wrong": "is wrong too", "disagree": "says otherwise"}  # of another model


def known(name: str) -> str:
    """What a value of a film is called where it need not be known."""
    return "not known" if name == "unknown" else name
