"""Formats every figure: rounding, signs, dashes, intervals, percentages, p, and words for undefined figures.

Used for the page, the terminal, Markdown, LaTeX, sentences in CSV cells and speech. Number columns of CSV and JSON keep
full precision instead. The page's script applies the same rules, in `explorer/ui/static/shared/figures.js`;
`tests/test_stray_figures.py` finds figures formatted elsewhere.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from explorer.core.rates import Rate

EN_DASH = "\N{EN DASH}"
MINUS = "\N{MINUS SIGN}"
UNDEFINED, NO_INTERVAL = "undefined", "no interval"
NO_POSITIVES, NO_NEGATIVES, NO_FILMS = "no positives", "no negatives", "no films"
OUTSIDE_MARK = "!"  # after an interval that does not contain its figure
OUTSIDE_NOTE = (
    f"{OUTSIDE_MARK} the interval does not contain its figure: resampling itself raises ECE, and AP of few positives."
)
MARGIN_DIGITS = 4  # margins of an image-text model are a few hundredths
MAX_DECIMALS = 3  # of a share, in tables too
WIDE_INTERVAL = 0.1  # in an interval this wide, the third decimal is noise
_ROUNDING = 1e-9  # rounding error near 0 or 1
_HYPHENS = str.maketrans({EN_DASH: "-", MINUS: "-"})


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its 95 % interval, NaN if undefined or pending, and the counts behind it, if known."""

    value: float
    low: float = math.nan
    high: float = math.nan
    n: int | None = None
    positives: int | None = None


# ---- one number


def fixed(value: float, digits: int = 2) -> str:
    """Format a score, distance or duration with fixed decimals; zero has no minus sign."""
    text = f"{value:.{digits}f}".replace("-", MINUS)
    return text.lstrip(MINUS) if float(text.replace(MINUS, "-")) == 0 else text


def significant(value: float, digits: int = 4) -> str:
    """Format a number with significant digits, such as a threshold: 0.5, 0.1234, 0.00001234."""
    return f"{value:.{digits}g}".replace("-", MINUS)


def signed(value: float, digits: int = 3) -> str:
    """Format a difference with its sign; zero has none."""
    text = fixed(value, digits)
    return text if text.startswith(MINUS) or not float(text) else f"+{text}"


def p_text(p: float) -> str:
    """Format a p-value with three decimals, or as `<0.001`."""
    return "<0.001" if p < 0.001 else fixed(p, 3)


def ratio_text(ratio: float) -> str:
    """Format a ratio as 1 : 4.2 or 1 : 1,200."""
    return f"1 : {ratio:,.{1 if ratio < 10 else 0}f}"


def score_text(score: float) -> str:
    """Format a model's score or a cosine similarity for a sentence."""
    return fixed(score, 2)


# ---- shares, which read 0 or 1 only if they are exactly that


def share_texts(*shares: float, digits: int = 2, most: int = MAX_DECIMALS) -> tuple[str, ...]:
    """Format a share and the ends of its interval, or any shares shown together, with the same decimals.

    Uses `digits` decimals, or up to `most` if a share would wrongly read 0 or 1; if these do not suffice, `<0.001` or
    `>0.999`.
    """
    digits = _digits(shares, digits, max(digits, most))
    return tuple(_bounded(share, 1, digits) for share in shares)


def share_text(share: float, digits: int = 2) -> str:
    """Format one share: 0.87."""
    return share_texts(share, digits=digits)[0]


def percent_texts(*shares: float, most: int = 2) -> tuple[str, ...]:
    """Format shares in percent, without the sign: whole numbers, or up to `most` decimals."""
    digits = _digits(shares, 2, 2 + most) - 2
    return tuple(_bounded(share, 100, digits) for share in shares)


def _digits(shares: Sequence[float], digits: int, most: int) -> int:
    between = [share for share in shares if _ROUNDING < share < 1 - _ROUNDING]
    while digits < most and any(float(f"{share:.{digits}f}") in (0, 1) for share in between):
        digits += 1
    return digits


def _bounded(share: float, whole: int, digits: int) -> str:
    text = fixed(whole * share, digits)
    if share > _ROUNDING and float(text) == 0:
        return f"<{fixed(10**-digits, digits)}"
    return f">{fixed(whole - 10**-digits, digits)}" if share < 1 - _ROUNDING and text == fixed(whole, digits) else text


def percent_text(share: float) -> str:
    """Format a share in percent: 58 %."""
    return f"{percent_texts(share)[0]} %"


# ---- a figure with its interval


def interval_text(low: str, high: str) -> str:
    """Join the two ends of an interval: [0.75\N{EN DASH}0.94]."""
    return f"[{low}{EN_DASH}{high}]"


def figure_text(value: float, low: float = math.nan, high: float = math.nan, *, digits: int = 3) -> str:
    """Format `0.512 [0.490\N{EN DASH}0.530]`; `undefined` for NaN, and no brackets without an interval.

    An interval that does not contain its figure is followed by OUTSIDE_MARK.
    """
    if value != value:
        return UNDEFINED
    if low != low:
        return share_text(value, digits)
    figure, *ends = share_texts(value, low, high, digits=digits)
    return f"{figure} {interval_text(*ends)}{OUTSIDE_MARK if outside_interval(value, low, high) else ''}"


def estimate_text(estimate: Estimate, *, digits: int = 3) -> str:
    """Format an estimate as `figure_text` does."""
    return figure_text(estimate.value, estimate.low, estimate.high, digits=digits)


def rate_text(rate: Rate, lacking: str = NO_FILMS, *, digits: int = 2) -> str:
    """Format a rate with its interval, `0.87 [0.75\N{EN DASH}0.94]`; `lacking` if n is 0."""
    return (
        lacking
        if rate.value is None or rate.interval is None
        else figure_text(rate.value, *rate.interval, digits=digits)
    )


def percent_rate_text(rate: Rate) -> str:
    """Format a rate in percent: 58 % [39\N{EN DASH}76]; the interval is 0 to 100 if n is 0."""
    value, low, high = percent_texts(rate.value or 0.0, *(rate.interval or (0.0, 1.0)))
    return f"{value} % {interval_text(low, high)}"


def mean_text(value: float, low: float, high: float, *, digits: int = 1) -> str:
    """Format a mean that is not a share, such as findings per film: 0.6 [0.5\N{EN DASH}0.8]."""
    return f"{fixed(value, digits)} {interval_text(fixed(low, digits), fixed(high, digits))}"


def number_text(value: float, low: float = math.nan, high: float = math.nan, *, digits: int = 2) -> str:
    """Format a number that may be negative, such as an intercept: \N{MINUS SIGN}0.84 [\N{MINUS SIGN}0.97, 0.12]."""
    if value != value:
        return UNDEFINED
    return f"{fixed(value, digits)}{'' if low != low else f' [{fixed(low, digits)}, {fixed(high, digits)}]'}"


def difference_text(value: float, low: float = math.nan, high: float = math.nan, *, digits: int = 3) -> str:
    """Format `\N{MINUS SIGN}0.012 [\N{MINUS SIGN}0.030, +0.009]`, with signs; `undefined` for NaN."""
    if value != value:
        return UNDEFINED
    reach = "" if low != low else f" [{signed(low, digits)}, {signed(high, digits)}]"
    return f"{signed(value, digits)}{reach}"


def lacking_class(positives: int, negatives: int) -> str | None:
    """Return the class without films, because of which nothing can be measured; None if both have some."""
    if positives and negatives:
        return None
    return NO_POSITIVES if negatives else NO_NEGATIVES if positives else "no known labels"


def outside_interval(value: float | None, low: float | None, high: float | None) -> bool:
    """Whether an interval does not contain its figure; undefined values and rounding errors do not count."""
    if value is None or low is None or high is None:
        return False
    return value < low - _ROUNDING or value > high + _ROUNDING


def earned_digits(intervals: Sequence[tuple[float, float]]) -> int:
    """Return the decimals of a column: 3 if all its intervals are narrow, else 2."""
    return 2 if any(high - low >= WIDE_INTERVAL for low, high in intervals) else 3


# ---- where only ASCII signs are available


def with_hyphens(text: str) -> str:
    """Replace dashes and minus signs with hyphens, for fonts and terminals without them."""
    return text.translate(_HYPHENS)
