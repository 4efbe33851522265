"""Labels a report: mentions, what its cues make of each, and one state per finding.

The steps are those of CheXpert's labeler (Irvin et al., AAAI 2019): mentions are extracted; each is classified by
uncertainty that comes before negation ("cannot exclude"), then negation, then other uncertainty, else it is present; a
report's label is present if any mention is, else uncertain if any is, else absent. The rules are our own, and no
sentence is parsed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import cast

from explorer.core.findings import COMPATIBLE_WITH_NORMAL
from explorer.reports.phrases import PhraseMatch, longest, not_inside_others, without_accents
from explorer.reports.rules import CUE_KINDS, REACHES, Cue, CueKind, Mentioned, ReportRules, State, rules
from explorer.reports.scope import alternatives, nearest
from explorer.reports.sentences import sentences

_STRONGEST: tuple[State, ...] = ("present", "uncertain", "absent")
_MAX_SENTENCES_KEPT = 20_000  # reports repeat themselves: half of all sentences occur again


@dataclass(frozen=True, slots=True)
class Mention:
    """A mention in a report: `start` and `end` are characters of its text.

    `state` None: the report does not say it of this film, such as "history of pneumonia". `cue` decided, with its own
    place; None if the phrase alone did.
    """

    finding: str
    phrase: str
    state: State | None
    start: int
    end: int
    section: str
    cue: str | None = None
    cue_kind: CueKind | None = None
    cue_start: int | None = None


def label(text: str, chosen: ReportRules | None = None) -> dict[str, State]:
    """Return what a report says of each finding: present, absent or uncertain.

    A finding that the report does not mention is not in the result: it is never absent. `chosen` are the rules, by
    default the shipped English ones. Steps as in CheXpert's labeler (Irvin et al., AAAI 2019).
    """
    return aggregated(mentions(text, chosen))


def mentions(text: str, chosen: ReportRules | None = None) -> list[Mention]:
    """Return every mention of a finding in the labeled sections, in the order of the text."""
    used = rules() if chosen is None else chosen
    found = []
    for sentence in sentences(text, used):
        for each in _of_sentence(without_accents(sentence.text), used):
            start, end = each.start + sentence.start, each.end + sentence.start
            at = None if each.cue_start is None else each.cue_start + sentence.start
            cue = None if at is None or each.cue is None else text[at : at + len(each.cue)]
            found.append(
                replace(
                    each,
                    phrase=text[start:end],
                    start=start,
                    end=end,
                    section=sentence.section,
                    cue=cue,
                    cue_start=at,
                )
            )
    return found


def forget_sentences() -> None:
    """Forget the sentences that are kept because reports repeat themselves; for measuring."""
    _of_sentence.cache_clear()


def aggregated(found: Iterable[Mention]) -> dict[str, State]:
    """Return the state of each finding: present if any mention is, else uncertain if any is, else absent.

    Normal is present only if no other finding is present or uncertain, but for those that a normal film may have.
    """
    states: dict[str, State] = {}
    for each in found:
        if each.state is not None:
            states[each.finding] = min(states.get(each.finding, each.state), each.state, key=_STRONGEST.index)
    if states.get("Normal") == "present" and not _may_be_normal(states):
        del states["Normal"]
    return states


def _may_be_normal(states: Mapping[str, State]) -> bool:
    return not any(state != "absent" and finding not in COMPATIBLE_WITH_NORMAL for finding, state in states.items())


@lru_cache(maxsize=_MAX_SENTENCES_KEPT)
def _of_sentence(sentence: str, used: ReportRules) -> tuple[Mention, ...]:
    """Return the mentions of one sentence, with places in it."""
    found = not_inside_others(used.mentions.matches(sentence))
    if all(each.meaning.says == "something else" for each in found):
        return ()
    cues = list(used.cues.matches(sentence))
    kept = [each for each in found if each.meaning.says != "something else"]
    classified = [_classified(each, cues, found, sentence, used) for each in kept]
    pairs = [(match, mention) for match, mention in zip(kept, classified, strict=True) if mention is not None]
    return tuple(_implied(_with_alternatives(pairs, sentence, used), used))


def _cues(every: list[PhraseMatch[Cue]], mention: PhraseMatch[Mentioned]) -> list[PhraseMatch[Cue]]:
    """Return the cues outside the mention's words; of several that overlap and reach the same way, the longest."""
    own = [each for each in every if not _share_words(each, mention)]
    masks = longest(each for each in own if each.meaning.kind == "not_a_cue")
    kept: list[PhraseMatch[Cue]] = []
    for reach in REACHES:
        same = [each for each in own if each.meaning.reach == reach and each.meaning.kind != "not_a_cue"]
        kept += longest(each for each in same if not any(_masked(each, mask) for mask in masks))
    return kept


def _share_words(cue: PhraseMatch[Cue], mention: PhraseMatch[Mentioned]) -> bool:
    """Whether the cue has words of the mention, as "not increased" in "markings are not increased"."""
    return any(start < last and first < end for start, end in mention.words for first, last in cue.words)


def _masked(cue: PhraseMatch[Cue], mask: PhraseMatch[Cue]) -> bool:
    return cue.length <= mask.length and mask.overlaps(cue.start, cue.end)


def _classified(
    mention: PhraseMatch[Mentioned],
    cues: list[PhraseMatch[Cue]],
    found: list[PhraseMatch[Mentioned]],
    sentence: str,
    used: ReportRules,
) -> Mention | None:
    """Return the mention with its state; None if its words mention the finding only with a cue, and none holds."""
    finding, says = mention.meaning
    holding = _not_cut_off(nearest(_cues(cues, mention), mention, found, sentence, used), mention)
    if finding in used.done_to_patient:
        holding = [each for each in holding if each.meaning.kind != "not_about_now"]
    if finding in used.lasting:
        holding = [each for each in holding if each.meaning.kind != "earlier"]
    if says == "absent":
        holding = [each for each in holding if not _is_no_denial(each, mention)]
    cue = min(holding, key=lambda each: CUE_KINDS.index(each.meaning.kind), default=None)
    if says == "present with a cue" and cue is None:
        return None
    state: State = "present" if says == "present with a cue" else cast(State, says)
    return Mention(
        finding,
        sentence[mention.start : mention.end],
        _with_cue(state, cue.meaning.kind) if cue else state,
        mention.start,
        mention.end,
        "",
        sentence[cue.start : cue.end] if cue else None,
        cue.meaning.kind if cue else None,
        cue.start if cue else None,
    )


def _not_cut_off(holding: list[PhraseMatch[Cue]], mention: PhraseMatch[Mentioned]) -> list[PhraseMatch[Cue]]:
    """Return the cues without a "history of" that stands before a nearer cue: "history of edema, no effusion"."""
    nearer = [each for each in holding if each.meaning.kind != "not_about_now" and each.end <= mention.start]
    return [
        each
        for each in holding
        if each.meaning.kind != "not_about_now" or not any(each.end <= other.start for other in nearer)
    ]


def _is_no_denial(cue: PhraseMatch[Cue], normal: PhraseMatch[Mentioned]) -> bool:
    """Whether a cue near a normal statement does not deny it: "resolved edema with clear lungs" leaves them clear.

    So does "lungs are clear and the effusion is not seen".
    """
    kind = cue.meaning.kind
    return kind == "resolved" or (kind == "negation" and cue.start >= normal.end)


def _with_cue(state: State, kind: CueKind) -> State | None:
    """Return what a cue makes of a mention that by itself says `state`."""
    if kind in ("not_about_now", "earlier"):
        return None
    if state == "uncertain" or kind in ("uncertain_before_negation", "uncertain_after_negation"):
        return "uncertain"
    return "present" if state == "absent" else "absent"


def _with_alternatives(
    pairs: list[tuple[PhraseMatch[Mentioned], Mention]], sentence: str, used: ReportRules
) -> list[Mention]:
    """Return the mentions; two that "or" joins, and that no cue holds for, are uncertain."""
    changed = [mention for _, mention in pairs]
    for place, ((one, first), (other, second)) in enumerate(pairwise(pairs)):
        plain = all(each.state == "present" and each.cue is None for each in (first, second))
        if plain and first.finding != second.finding and (word := alternatives(one, other, sentence, used)):
            at = sentence.index(word, one.end)
            for index in (place, place + 1):
                changed[index] = replace(
                    changed[index],
                    state="uncertain",
                    cue=word,
                    cue_kind="uncertain_after_negation",
                    cue_start=at,
                )
    return changed


def _implied(found: Iterable[Mention], used: ReportRules) -> Iterator[Mention]:
    """Yield each mention, and the same of the findings that its finding implies."""
    for each in found:
        yield each
        yield from (replace(each, finding=other) for other in used.implies.get(each.finding, ()))
