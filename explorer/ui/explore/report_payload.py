"""The report of a case, cut into parts by what was read in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypedDict

from explorer.cohorts.film_reports import FilmReport, ReportMention

MentionState = Literal["present", "absent", "uncertain", "not labeled"]
_STATES: dict[str | None, MentionState] = {
    "present": "present",
    "absent": "absent",
    "uncertain": "uncertain",
    None: "not labeled",
}


class SaidPayload(TypedDict):
    """What a part of a report says of a finding."""

    finding: str
    state: MentionState


class ReportPartPayload(TypedDict):
    """A part of a report's text: the mentions that it belongs to, and the findings that it is a cue of."""

    text: str
    said: list[SaidPayload]
    cue_of: list[str]


class CaseReportPayload(TypedDict):
    """The report of a case; `source` is the label source made from it."""

    stage: Literal["report"]
    source: str
    parts: list[ReportPartPayload]


class NoReportPayload(TypedDict):
    """The film has no report here."""

    stage: Literal["no report"]


def report_payload(report: FilmReport | None) -> CaseReportPayload | NoReportPayload:
    """Return the text in parts: a part ends where a mention or a cue begins or ends."""
    if report is None:
        return {"stage": "no report"}
    text, mentions = report.text, [each for each in report.mentions if _inside(each, len(report.text))]
    cuts = {0, len(text)}
    for each in mentions:
        cuts |= {each.start, each.end, *_cue(each)}
    places = sorted(cuts)
    parts = [_part(text, start, end, mentions) for start, end in zip(places, places[1:], strict=False)]
    return {"stage": "report", "source": report.source, "parts": parts}


def _part(text: str, start: int, end: int, mentions: Sequence[ReportMention]) -> ReportPartPayload:
    said: list[SaidPayload] = [
        {"finding": each.finding, "state": _STATES.get(each.state, "not labeled")}
        for each in mentions
        if each.start <= start and end <= each.end
    ]
    cues = [each.finding for each in mentions if (span := _cue(each)) and span[0] <= start and end <= span[1]]
    return {"text": text[start:end], "said": said, "cue_of": list(dict.fromkeys(cues))}


def _cue(mention: ReportMention) -> tuple[int, int] | tuple[()]:
    if mention.cue_start is None or mention.cue_end is None:
        return ()
    return mention.cue_start, mention.cue_end


def _inside(mention: ReportMention, length: int) -> bool:
    """Whether the places are within the text, which a damaged file may not hold to."""
    spans = [(mention.start, mention.end), *([span] if (span := _cue(mention)) else [])]
    return all(0 <= span[0] < span[1] <= length for span in spans)
