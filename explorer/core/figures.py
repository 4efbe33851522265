"""How every figure is written: rounding, signs, dashes, intervals, percentages, p, and what stands where there is none.

For the page, the terminal, Markdown, LaTeX, sentences in CSV cells and speech alike. Columns of CSV and JSON hold
numbers at full precision instead. The page's script has the same in `explorer/ui/static/shared/figures.js`, and
`tests/test_stray_figures.py` finds figures that are written elsewhere.
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
BESIDE = "!"  # after an interval that does not contain its figure
BESIDE_NOTE = (
    f"{BESIDE} the interval does not contain its figure: resampling itself raises ECE, and AP of few positives."
)
MARGIN_DIGITS = 4  # of an image-text model: its margins are some hundredths
MOST = 3  # decimals of a share, in tables too
WIDE = 0.1  # an interval as wide as this leaves the third decimal to chance
_ROUNDING = 1e-9  # what rounding leaves of 0, or of 1
_HYPHENS = str.maketrans({EN_DASH: "-", MINUS: "-"})


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its 95 % interval, NaN where undefined or still to come, and what it was counted on if known."""

    value: float
    low: float = math.nan
    high: float = math.nan
    n: int | None = None
    positives: int | None = None


# ---- one number


def fixed(value: float, digits: int = 2) -> str:
    """A score, a distance or a duration with so many decimals; no minus before a zero."""
    text = f"{value:.{digits}f}".replace("-", MINUS)
    return text.lstrip(MINUS) if float(text.replace(MINUS, "-")) == 0 else text


def significant(value: float, digits: int = 4) -> str:
    """A number with so many digits that say something, such as a threshold: 0.5, 0.1234, 0.00001234."""
    return f"{value:.{digits}g}".replace("-", MINUS)


def signed(value: float, digits: int = 3) -> str:
    """A difference with its sign; a zero has none."""
    text = fixed(value, digits)
    return text if text.startswith(MINUS) or not float(text) else f"+{text}"


def p_text(p: float) -> str:
    """A p-value with three decimals, `<0.001` below what these can say."""
    return "<0.001" if p < 0.001 else fixed(p, 3)


def ratio_text(ratio: float) -> str:
    """How many there are for each one: 1 : 4.2, 1 : 1,200."""
    return f"1 : {ratio:,.{1 if ratio < 10 else 0}f}"


def score_text(score: float) -> str:
    """A score of a model, or a cosine similarity, as sentences have it."""
    return fixed(score, 2)


# ---- shares, which read 0 or 1 only where they are


def share_texts(*shares: float, digits: int = 2, most: int = MOST) -> tuple[str, ...]:
    """A figure and the ends of its interval, or any other shares that stand together, with the same decimals.

    `digits`, or up to `most` where a share would read 0 or 1 and is neither; beyond these `<0.001` or `>0.999`.
    """
    digits = _digits(shares, digits, max(digits, most))
    return tuple(_within(share, 1, digits) for share in shares)


def share_text(share: float, digits: int = 2) -> str:
    """One share alone: 0.87."""
    return share_texts(share, digits=digits)[0]


def percent_texts(*shares: float, most: int = 2) -> tuple[str, ...]:
    """The same in percent, without its sign: whole ones, or up to `most` decimals."""
    digits = _digits(shares, 2, 2 + most) - 2
    return tuple(_within(share, 100, digits) for share in shares)


def _digits(shares: Sequence[float], digits: int, most: int) -> int:
    between = [share for share in shares if _ROUNDING < share < 1 - _ROUNDING]
    while digits < most and any(float(f"{share:.{digits}f}") in (0, 1) for share in between):
        digits += 1
    return digits


def _within(share: float, whole: int, digits: int) -> str:
    text = fixed(whole * share, digits)
    if share > _ROUNDING and float(text) == 0:
        return f"<{fixed(10**-digits, digits)}"
    return f">{fixed(whole - 10**-digits, digits)}" if share < 1 - _ROUNDING and text == fixed(whole, digits) else text


def percent_text(share: float) -> str:
    """A share in percent: 58 %."""
    return f"{percent_texts(share)[0]} %"


# ---- a figure with its interval


def interval_text(low: str, high: str) -> str:
    """The two ends as they are written: [0.75\N{EN DASH}0.94]."""
    return f"[{low}{EN_DASH}{high}]"


def figure_text(value: float, low: float = math.nan, high: float = math.nan, *, digits: int = 3) -> str:
    """Such as `0.512 [0.490\N{EN DASH}0.530]`; `undefined` without a figure (NaN), and no brackets without an interval.

    An interval that does not contain its figure has the mark BESIDE.
    """
    if value != value:
        return UNDEFINED
    if low != low:
        return share_text(value, digits)
    figure, *ends = share_texts(value, low, high, digits=digits)
    return f"{figure} {interval_text(*ends)}{BESIDE if lies_beside(value, low, high) else ''}"


def estimate_text(estimate: Estimate, *, digits: int = 3) -> str:
    """The same of an estimate."""
    return figure_text(estimate.value, estimate.low, estimate.high, digits=digits)


def rate_text(rate: Rate, lacking: str = NO_FILMS, *, digits: int = 2) -> str:
    """A rate with its interval, `0.87 [0.75\N{EN DASH}0.94]`; `lacking` where nothing was counted."""
    return (
        lacking
        if rate.value is None or rate.interval is None
        else figure_text(rate.value, *rate.interval, digits=digits)
    )


def percent_rate_text(rate: Rate) -> str:
    """The same in percent: 58 % [39\N{EN DASH}76]; 0 to 100 where nothing was counted."""
    value, low, high = percent_texts(rate.value or 0.0, *(rate.interval or (0.0, 1.0)))
    return f"{value} % {interval_text(low, high)}"


def mean_text(value: float, low: float, high: float, *, digits: int = 1) -> str:
    """A mean that is not a share, such as of findings on a film: 0.6 [0.5\N{EN DASH}0.8]."""
    return f"{fixed(value, digits)} {interval_text(fixed(low, digits), fixed(high, digits))}"


def difference_text(value: float, low: float = math.nan, high: float = math.nan, *, digits: int = 3) -> str:
    """Such as `\N{MINUS SIGN}0.012 [\N{MINUS SIGN}0.030, +0.009]`, with signs; `undefined` without a figure (NaN)."""
    if value != value:
        return UNDEFINED
    reach = "" if low != low else f" [{signed(low, digits)}, {signed(high, digits)}]"
    return f"{signed(value, digits)}{reach}"


def lacking_class(positives: int, negatives: int) -> str | None:
    """Why nothing can be measured: a class of which there is no film; None where there are films of both."""
    if positives and negatives:
        return None
    return NO_POSITIVES if negatives else NO_NEGATIVES if positives else "no known labels"


def lies_beside(value: float | None, low: float | None, high: float | None) -> bool:
    """Whether an interval does not contain its figure; rounding alone, and what is undefined, do not count."""
    if value is None or low is None or high is None:
        return False
    return value < low - _ROUNDING or value > high + _ROUNDING


def earned_digits(intervals: Sequence[tuple[float, float]]) -> int:
    """The decimals of a column, as many as its least sure row earns: 3 where all intervals are narrow, else 2."""
    return 2 if any(high - low >= WIDE for low, high in intervals) else 3


# ---- where signs beyond ASCII are not to be had


def with_hyphens(text: str) -> str:
    """Text whose dashes and minus signs are hyphens, for fonts and terminals that have no others."""
    return text.translate(_HYPHENS)
