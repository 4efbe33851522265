"""What is lost between a film and its report's labels: `python -m tests.benchmarks.simulated_reports`.

The simulator writes a report of each of the cohort's films from its exact findings; the labeler labels them. Labels are
compared with what the writer meant (the labeler's loss), and with the films (what reporting loses, too). A label is
wrong if it says the opposite of the film; intervals are Wilson's, over pairs of film and finding.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from explorer.core.figures import percent_rate_text
from explorer.core.rates import Rate
from explorer.reports import label
from explorer.simulator.cohort_sampling import TEST_SPLIT, TRAINING_SPLIT, has_finding, sample_cases
from explorer.simulator.report_writer import STYLES, Style, write_report
from explorer.simulator.request import ABNORMAL
from tests.benchmarks.command_line import command, report
from tests.benchmarks.timing import Figure

SMALL_FILMS = 300
STATES = ("present", "uncertain", "absent", "-")
POLICIES = {"uncertain as present": "present", "uncertain as absent": "absent", "uncertain left out": None}
# Central venous catheters count as devices in reports; a film's devices are those of the simulator's other finding.
FINDINGS = tuple(name for name in ABNORMAL if name != "Support Devices")
Pairs = Counter[tuple[bool, str, str]]  # on the film, what was meant, the label -> pairs of film and finding


def measured(small: bool) -> Iterator[Figure | str]:
    """Yield the figures of all styles together, then of each."""
    cases = [*sample_cases(TRAINING_SPLIT), *sample_cases(TEST_SPLIT)][: SMALL_FILMS if small else None]
    by_style: dict[Style, Pairs] = {style: Counter() for style in STYLES}
    for case in cases:
        written = write_report(case)
        found = label(written.text)
        by_style[written.style].update(
            (has_finding(case, name), written.said.get(name, "-"), found.get(name, "-")) for name in FINDINGS
        )
    every: Pairs = sum(by_style.values(), Counter())
    yield f"{len(cases):,} films, {len(FINDINGS)} findings"
    yield from _loss(every)
    for style, pairs in by_style.items():
        same, mentioned = _as_meant(pairs)
        yield f"  {style:<12} read as meant {percent_rate_text(Rate(same, mentioned))} of {mentioned:,} mentions"


def _loss(pairs: Pairs) -> Iterator[Figure | str]:
    same, mentioned = _as_meant(pairs)
    yield Figure("read as meant", 100 * same / mentioned, "%", 99.0, least=True)
    yield f"  {percent_rate_text(Rate(same, mentioned))} of {mentioned:,} mentions"
    for there, words in ((True, "on the film"), (False, "not on the film")):
        of = sum(count for (film, _, _), count in pairs.items() if film == there)
        for state in STATES:
            n = sum(count for (film, _, found), count in pairs.items() if film == there and found == state)
            yield f"  {words:<16} label {state:<10} {percent_rate_text(Rate(n, of))} of {of:,}"
    for policy, meaning in POLICIES.items():
        yield f"  {policy:<22} {_wrong(pairs, meaning, '-')}; blanks as absent: {_wrong(pairs, meaning, 'absent')}"


def _as_meant(pairs: Pairs) -> tuple[int, int]:
    """Return the pairs that are read as meant, and all that are meant or read."""
    same = sum(count for (_, meant, found), count in pairs.items() if meant == found != "-")
    return same, sum(count for (_, meant, found), count in pairs.items() if (meant, found) != ("-", "-"))


def _wrong(pairs: Pairs, uncertain: str | None, blank: str) -> str:
    """Return the share of wrong labels: present where the film has nothing, absent where it has the finding."""
    wrong = labeled = 0
    for (film, _, found), count in pairs.items():
        state = {"uncertain": uncertain, "-": blank}.get(found, found)
        if state in ("present", "absent"):
            labeled += count
            wrong += count * ((state == "present") != film)
    return f"{percent_rate_text(Rate(wrong, labeled))} of {labeled:,} labels are wrong"


def main(words: Sequence[str] | None = None) -> int:
    """Print every figure; 1 where a goal is missed."""
    asked = command(__doc__).parse_args(words)
    return report(measured(asked.small), asked)


if __name__ == "__main__":
    raise SystemExit(main())
