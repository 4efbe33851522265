"""Labels the films of a table or folder from their reports, as a label source of its own where labels also exist."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from explorer.cohorts.film_reports import FilmReport, ReportMention
from explorer.cohorts.schema import LABELS
from explorer.core.progress import OnProgress
from explorer.core.word_lists import quantity
from explorer.ingest.entries import UNKNOWN, Entry, ImportSource, LabelMarks, SourceMarks
from explorer.ingest.report_texts import NoReport, ReportTexts, left_over
from explorer.reports import Mention, ReportRules, aggregated, mentions
from explorer.reports.language import other_language
from explorer.reports.rules import State
from explorer.tabular.notes import some
from explorer.tabular.problems import WrongInput

BLANK = "unknown: the report does not mention it"
_CODES: dict[State, int] = {"present": LABELS.index("present"), "absent": LABELS.index("absent")}
_CODES["uncertain"] = LABELS.index("uncertain")
_PROGRESS_EVERY = 200  # reports
_Labeled = tuple[dict[str, State], FilmReport]


def with_report_labels(
    source: ImportSource, reports: ReportTexts, rules: ReportRules, progress: OnProgress
) -> ImportSource:
    """Return the source with the labels of its films' reports; they are its only labels, or a second label source.

    A finding that a report does not mention is unknown. A film without a usable report gets no labels; the notes count
    these films by reason. Raises WrongInput if no film has a usable report.
    """
    name = f"reports ({rules.language} rules)"
    found, reasons = _labeled(source.entries, reports, rules, name, progress)
    if not found:
        raise WrongInput(_none_usable(source, reasons))
    states = {case: states_of for case, (states_of, _) in found.items()}
    source = replace(source, reports=[report for _, report in found.values()])
    mentioned = set().union(*states.values())
    findings = (*source.findings, *(each for each in rules.findings if each in mentioned - set(source.findings)))
    marks = {case: _marks(each, findings) for case, each in states.items()}
    notes = [*source.notes, *_notes(source.entries, reports, states, reasons, rules)]
    if not source.findings:
        entries = [replace(each, marks=marks.get(each.case, LabelMarks())) for each in source.entries]
        return replace(
            source, findings=findings, entries=entries, label_source=name, default_source=None, blank=BLANK, notes=notes
        )
    known = len(source.findings)
    return replace(
        source,
        findings=findings,
        entries=[_without_rest(each, known) for each in source.entries],
        more_marks=[
            *(replace(each, marks=LabelMarks(each.marks.padded(known))) for each in source.more_marks),
            *(SourceMarks(case, name, each) for case, each in marks.items()),
        ],
        default_source=source.default_source or source.label_source,
        notes=[*notes, f"labels of reports are a label source of their own; the default is {source.label_source!r}"],
    )


def _labeled(
    entries: Sequence[Entry], reports: ReportTexts, rules: ReportRules, source: str, progress: OnProgress
) -> tuple[dict[str, _Labeled], dict[str, NoReport | str]]:
    """Return the states that each report gives its film with the report, and of other films why they have none."""
    found: dict[str, _Labeled] = {}
    reasons: dict[str, NoReport | str] = {}
    by_text: dict[str, _Labeled] = {}  # films of a study share a report
    for done, entry in enumerate(entries, 1):
        text = reports.of(entry)
        if isinstance(text, NoReport):
            reasons[entry.case] = text
        elif (other := other_language(text, rules)) is not None:
            reasons[entry.case] = f"{NoReport.LANGUAGE}, {other}"
        else:
            if text not in by_text:
                said = mentions(text, rules)
                report = FilmReport(entry.case, text, source, tuple(map(_mention, said)))
                by_text[text] = aggregated(said), report
            states, report = by_text[text]
            found[entry.case] = states, replace(report, case=entry.case)
        if not done % _PROGRESS_EVERY or done == len(entries):
            progress(done, len(entries))
    return found, reasons


def _mention(found: Mention) -> ReportMention:
    cue_end = None if found.cue_start is None else found.cue_start + len(found.cue or "")
    return ReportMention(found.finding, found.state, found.start, found.end, found.cue_start, cue_end)


def _marks(states: dict[str, State], findings: Sequence[str]) -> LabelMarks:
    return LabelMarks(bytes(_CODES[states[each]] if each in states else UNKNOWN for each in findings))


def _without_rest(entry: Entry, findings: int) -> Entry:
    """Return the entry with unknown labels for the findings that only reports name."""
    return replace(entry, marks=LabelMarks(entry.marks.padded(findings)))


def _notes(
    entries: Sequence[Entry],
    reports: ReportTexts,
    states: dict[str, dict[str, State]],
    reasons: dict[str, NoReport | str],
    rules: ReportRules,
) -> Iterator[str]:
    silent = sum(not each for each in states.values())
    yield f"films labeled from their reports by the {rules.language} rules: {len(states):,} of {len(entries):,}"
    if rules.language != "English":
        yield f"the {rules.language} rules are experimental: check some reports with `label-report`"
    if silent:
        yield f"films whose report mentions no finding: {silent:,}"
    for reason, count in Counter(map(str, reasons.values())).most_common():
        which = [case for case, why in reasons.items() if str(why) == reason]
        yield f"not labeled, {reason}: {quantity(count, 'film')}, {some(which)}"
    if strangers := left_over(reports, entries):
        yield f"reports of no film here, not used: {strangers:,}"


def _none_usable(source: ImportSource, reasons: dict[str, NoReport | str]) -> str:
    counts = Counter(map(str, reasons.values())).most_common()
    why = "; ".join(f"{reason} {count:,}" for reason, count in counts) or "there is no film"
    return (
        f"No film of {source.title} has a report that can be labeled: {why}. Name each report after its film or study."
    )
