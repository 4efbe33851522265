"""Gives the verdict on a question: the side of the threshold and its reliability, or why there is no verdict."""

from __future__ import annotations

from dataclasses import dataclass, replace

from explorer.asking.answer import AskVerdict, FilmAnswer
from explorer.asking.predicted import PredictedShare, predict_share
from explorer.asking.question_analysis import AnalyzedQuestion
from explorer.asking.spread import PromptSpread
from explorer.core.figures import estimate_text, percent_rate_text, significant
from explorer.core.rates import Rate
from explorer.reading.flag_verdict import MIN_FLAGGED_FILMS, verdict_by

RATE_UNKNOWN = "how many such films have it is not known"
TOO_FEW = f"only {{n}} test films are flagged for it, fewer than {MIN_FLAGGED_FILMS}: too few to rate such flags"
DISTRUSTED = (
    "several findings",
    "not radiographic",
    "unknown word",
    "not English",
    "unclear abbreviation",
    "two meanings",
    "known weakness",  # Read does not give a verdict on these either
)  # kinds of cautions that rule out a verdict


@dataclass(frozen=True, slots=True)
class AnswerJudgment:
    """The verdict, its reason, and `said`, which continues it with the share of such films that have the finding.

    `said` is empty and `predicted` None without a verdict.
    """

    verdict: AskVerdict
    said: str
    why: str
    predicted: PredictedShare | None = None


def judge_answer(
    analysis: AnalyzedQuestion,
    refused: str,
    spread: PromptSpread,
    prevalence: float | None = None,
    *,
    far: bool = False,
) -> AnswerJudgment:
    """Return the verdict on a film; `refused` is the gate's reason for a refusal that stands, else empty.

    `prevalence` in (0, 1) is the visitor's (None: that of the films behind the threshold's rates). `far`: the film is
    unlike the test films, so that their rates do not support a verdict.
    """
    against = _objection(analysis, refused, spread)
    if against:
        return AnswerJudgment("cannot judge", "", against)
    taken, cutoff = analysis.taken_for, analysis.cutoff
    if taken is None or (not cutoff.fitted and cutoff.sensitivity is None):
        return _untested(analysis, spread.flagged)
    found = predict_share(spread.flagged, cutoff.sensitivity, cutoff.specificity)
    if found is None:
        word: AskVerdict = "flagged" if spread.flagged else "not flagged"
        return AnswerJudgment(word, RATE_UNKNOWN, f"{_side(spread.flagged)}: {cutoff.rule}.")
    return _tested(taken.finding, found if prevalence is None else found.at(prevalence), far)


def at_prevalence(answer: FilmAnswer, prevalence: float | None) -> FilmAnswer:
    """Return the answer at another prevalence in (0, 1); None: that of the labeled films.

    An answer without a verdict is unchanged.
    """
    before, taken = answer.predicted, answer.taken_for
    if before is None or taken is None:
        return answer
    own = predict_share(before.flagged, before.sensitivity, before.specificity) or before
    found = _tested(taken.finding, own if prevalence is None else own.at(prevalence), answer.far)
    return replace(answer, verdict=found.verdict, said=found.said, why=found.why, predicted=found.predicted)


def _objection(analysis: AnalyzedQuestion, refused: str, spread: PromptSpread) -> str:
    """Return the reason that rules out a verdict; empty if there is none."""
    if refused:
        return f"The film was refused: {refused}"
    wrong = next((each.words for each in analysis.warnings if each.kind in DISTRUSTED), "")
    if wrong:
        return wrong
    measured = analysis.measured
    if measured and measured.auroc is None:
        return f"None of the {measured.n:,} validation films is labeled {measured.finding}."
    if measured and measured.auroc and measured.auroc.low <= 0.5:
        return (
            f"With this wording, the model may not detect {measured.finding}: AUROC "
            f"{estimate_text(measured.auroc, digits=2)} on {measured.n:,} validation films."
        )
    if spread.unstable:
        return f"The answer depends on the wording. {spread.rule}"
    return ""


def _untested(analysis: AnalyzedQuestion, flagged: bool) -> AnswerJudgment:
    """Judge a text whose reliability is unknown, so a low score does not rule anything out."""
    if not flagged:
        why = "The score is low, but this text was never tested: it rules nothing out."
        return AnswerJudgment("cannot judge", "", why)
    if analysis.in_captions is False:
        why = "This text was never tested, and is not known to occur in the model's training captions."
        return AnswerJudgment("cannot judge", "", why)
    return AnswerJudgment(
        "flagged", RATE_UNKNOWN, "The score is above the threshold, but this text was never tested here."
    )


def _tested(finding: str, found: PredictedShare, far: bool) -> AnswerJudgment:
    """Judge a text by the labeled films on the same side of the threshold."""
    same = (found.sensitivity, found.specificity.rest) if found.flagged else (found.sensitivity.rest, found.specificity)
    labeled, others = (_percent(rate) for rate in same)
    source = "as you typed" if found.typed else "as in the labeled films"
    why = (
        f"{_side(found.flagged)}, as are {labeled} films labeled {finding} and {others} films without it. "
        f"Prevalence {significant(100 * found.prevalence, 3)} %, {source}."
    )
    if found.flagged and finding == "Normal":
        why += " That rules out no finding."
    word = _flag_verdict(finding, found, far)
    return AnswerJudgment(word, TOO_FEW.format(n=found.films) if word == "too few films" else found.words, why, found)


def _side(flagged: bool) -> str:
    return "At or above the threshold" if flagged else "Below the threshold"


def _flag_verdict(finding: str, found: PredictedShare, far: bool) -> AskVerdict:
    """Return Read's verdict on such a flag, or plain "flagged" for Normal, which is not a finding."""
    if not found.flagged:
        return "not flagged"
    return "flagged" if far or finding == "Normal" else verdict_by(found.films, found.share, found.low)


def _percent(rate: Rate) -> str:
    return f"{percent_rate_text(rate)} of {rate.n:,}"
