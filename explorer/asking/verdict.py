"""On which side of the threshold a film lies and how many such films have the finding, or why nobody can judge."""

from __future__ import annotations

from dataclasses import dataclass, replace

from explorer.asking.answer import Asked, Verdict
from explorer.asking.predicted import Predicted, predicted
from explorer.asking.question_analysis import Heard
from explorer.asking.spread import Spread
from explorer.core.figures import estimate_text, percent_rate_text, significant
from explorer.core.rates import Rate
from explorer.reading.flag_verdict import FEWEST, verdict_by

UNKNOWN = "how many such films have it is not known"
TOO_FEW = f"{{n}} test films are flagged for it, fewer than {FEWEST}: how often that is correct cannot be said"
DISTRUSTED = (
    "several findings",
    "not radiographic",
    "unknown word",
    "not English",
    "unclear abbreviation",
    "two meanings",
    "known weakness",  # Read rates no such finding either
)  # of a question: other warnings forbid no verdict


@dataclass(frozen=True, slots=True)
class Judgment:
    """The verdict, what is `said` after it of how many such films have the finding, and why, each in words.

    `said` is empty and `predicted` None where nothing can be judged.
    """

    verdict: Verdict
    said: str
    why: str
    predicted: Predicted | None = None


def judged(
    heard: Heard, refused: str, spread: Spread, prevalence: float | None = None, *, far: bool = False
) -> Judgment:
    """The verdict on a film; `refused` is the gate's reason where it refused and nobody overruled it, else empty.

    `prevalence` in (0, 1) is the visitor's, None: that of the films that the threshold was counted on. `far`: the film
    is unlike the test films, so that how often flags were right there makes no verdict.
    """
    against = _against(heard, refused, spread)
    if against:
        return Judgment("cannot judge", "", against)
    taken, cutoff = heard.taken_for, heard.cutoff
    if taken is None or (not cutoff.fitted and cutoff.sensitivity is None):
        return _untested(heard, spread.flagged)
    found = predicted(spread.flagged, cutoff.sensitivity, cutoff.specificity)
    if found is None:
        word: Verdict = "flagged" if spread.flagged else "not flagged"
        return Judgment(word, UNKNOWN, f"{_side(spread.flagged)}: {cutoff.rule}.")
    return _tested(taken.finding, found if prevalence is None else found.at(prevalence), far)


def at_prevalence(asked: Asked, prevalence: float | None) -> Asked:
    """The same answer where a share `prevalence` in (0, 1) of all films has the finding; None: of the labeled films.

    Where nothing can be judged, a prevalence changes nothing.
    """
    before, taken = asked.predicted, asked.taken_for
    if before is None or taken is None:
        return asked
    own = predicted(before.flagged, before.sensitivity, before.specificity) or before
    found = _tested(taken.finding, own if prevalence is None else own.at(prevalence), asked.far)
    return replace(asked, verdict=found.verdict, said=found.said, why=found.why, predicted=found.predicted)


def _against(heard: Heard, refused: str, spread: Spread) -> str:
    """What forbids a verdict; empty where nothing does."""
    if refused:
        return f"The film was refused: {refused}"
    wrong = next((each.words for each in heard.warnings if each.kind in DISTRUSTED), "")
    if wrong:
        return wrong
    measured = heard.measured
    if measured and measured.auroc is None:
        return f"None of the {measured.n:,} validation films is labeled {measured.finding}."
    if measured and measured.auroc and measured.auroc.low <= 0.5:
        return (
            f"Asked this way, the model may not tell films with {measured.finding} from those without: AUROC "
            f"{estimate_text(measured.auroc, digits=2)} on {measured.n:,} validation films."
        )
    if spread.unstable:
        return f"The answer depends on the wording. {spread.rule}"
    return ""


def _untested(heard: Heard, flagged: bool) -> Judgment:
    """Nobody has counted how often such a text is right, so a low score excludes nothing."""
    if not flagged:
        why = "The score is low, but this text was never tested: it rules nothing out."
        return Judgment("cannot judge", "", why)
    if heard.in_captions is False:
        why = "This text was never tested, and no training caption of the model is known to say it."
        return Judgment("cannot judge", "", why)
    return Judgment("flagged", UNKNOWN, "The score is above the threshold, but this text was never tested here.")


def _tested(finding: str, found: Predicted, far: bool) -> Judgment:
    """The verdict beside what else lies on that side of the threshold: that is how far it is to be believed."""
    same = (found.sensitivity, found.specificity.rest) if found.flagged else (found.sensitivity.rest, found.specificity)
    labeled, others = (_percent(rate) for rate in same)
    whose = "as you typed" if found.typed else "that of the labeled films"
    why = (
        f"{_side(found.flagged)}, as are {labeled} films labeled {finding} and {others} not labeled so. "
        f"Prevalence {significant(100 * found.prevalence, 3)} %, {whose}."
    )
    if found.flagged and finding == "Normal":
        why += " That rules out no finding."
    word = _word(finding, found, far)
    return Judgment(word, TOO_FEW.format(n=found.films) if word == "too few films" else found.words, why, found)


def _side(flagged: bool) -> str:
    return "At or above the threshold" if flagged else "Below the threshold"


def _word(finding: str, found: Predicted, far: bool) -> Verdict:
    """Read's verdict on such a flag. Read has none on Normal, which is no finding."""
    if not found.flagged:
        return "not flagged"
    return "flagged" if far or finding == "Normal" else verdict_by(found.films, found.share, found.low)


def _percent(rate: Rate) -> str:
    return f"{percent_rate_text(rate)} of {rate.n:,}"
