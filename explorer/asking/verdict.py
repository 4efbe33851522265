"""Present, absent or cannot judge, and why in a sentence or two."""

from __future__ import annotations

from explorer.asking.answer import Spread, Verdict
from explorer.asking.answer_threshold import Cutoff
from explorer.asking.question_analysis import Heard
from explorer.core.rates import Rate

Judged = tuple[Verdict, str]
DISTRUSTED = (
    "several findings",
    "not radiographic",
    "not English",
    "unclear abbreviation",
)  # of a question: other warnings forbid no verdict


def judged(heard: Heard, refused: str, margin: float, spread: Spread) -> Judged:
    """The verdict on a film; `refused` is the gate's reason where it refused and nobody overruled it, else empty."""
    against = _against(heard, refused, spread)
    if against:
        return "cannot judge", against
    above, taken = margin >= heard.cutoff.margin, heard.taken_for
    if taken is None or not heard.cutoff.fitted:
        return _untested(heard, above)
    return _tested(taken.finding, heard.cutoff, above)


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
        area = measured.auroc
        return (
            f"Asked this way, the model may not tell films with {measured.finding} from those without: AUROC "
            f"{area.value:.2f} [{area.low:.2f}-{area.high:.2f}] on {measured.n:,} validation films."
        )
    if spread.unstable:
        return f"The answer depends on the wording. {spread.rule}"
    return ""


def _untested(heard: Heard, above: bool) -> Judged:
    """Nobody has counted how often such a text is right, so a low score excludes nothing."""
    if not above:
        return "cannot judge", "The score is low, but this text was never tested: it rules nothing out."
    if heard.in_captions is False:
        return "cannot judge", "This text was never tested, and no training caption of the model is known to say it."
    return "present", "The score is above the threshold, but this text was never tested here."


def _tested(finding: str, cutoff: Cutoff, above: bool) -> Judged:
    """The verdict beside what else lies on that side of the threshold: that is how far it is to be believed."""
    if above:
        none_excluded = " That rules out no finding." if finding == "Normal" else ""
        why = f"Above the threshold, {_wrong(cutoff.specificity)} not labeled {finding}.{_labelled_above(cutoff)}"
        return "present", why + none_excluded
    return "absent", f"Below the threshold, {_wrong(cutoff.sensitivity)} labeled {finding}."


def _wrong(rate: Rate | None) -> str:
    """How many films of the other label are on the same side."""
    wrong = None if rate is None else rate.rest
    if wrong is None or not wrong.n:
        return "as may be any number of films"
    return f"as are {_percent(wrong)} of {wrong.n:,} films"


def _labelled_above(cutoff: Cutoff) -> str:
    """How many of the films above the threshold have the label: few where the finding is rare."""
    if cutoff.sensitivity is None or cutoff.specificity is None:
        return ""
    found, false = cutoff.sensitivity.hits, cutoff.specificity.n - cutoff.specificity.hits
    labelled = Rate(found, found + false)
    return f" Of all {labelled.n:,} films above it {_percent(labelled)} are labeled so." if labelled.n else ""


def _percent(rate: Rate) -> str:
    if rate.value is None or rate.interval is None:
        return "none"
    low, high = (100 * end for end in rate.interval)
    return f"{100 * rate.value:.0f} % [{low:.0f}-{high:.0f}]"
