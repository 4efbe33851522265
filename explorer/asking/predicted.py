"""Predicts how many films on the same side of the threshold have the finding, at a given prevalence."""

from __future__ import annotations

from dataclasses import dataclass, replace

from explorer.core.figures import interval_text
from explorer.core.rates import Rate
from explorer.metrics.predictive_values import predictive_values
from models.refusal import Refusal

SHARE_BASES = (100, 1_000, 10_000)  # denominators of a printed share; the first that gives at least one film is used


class WrongPrevalence(Refusal):
    """An invalid prevalence: `title` says what is wrong, `detail` what to do."""


@dataclass(frozen=True, slots=True)
class PredictedShare:
    """The share of such films that have the finding, with its 95 % interval, at a prevalence.

    This is the PPV above the threshold and 1 - NPV below it, by explorer.metrics.predictive_values. `typed`: the
    visitor entered the prevalence, else it is that of the labeled films. All values are in [0, 1].
    """

    flagged: bool
    sensitivity: Rate
    specificity: Rate
    prevalence: float
    typed: bool
    share: float
    low: float
    high: float

    def at(self, prevalence: float) -> PredictedShare:
        """Return the prediction at a prevalence in (0, 1) that the visitor entered."""
        found = predict_share(self.flagged, self.sensitivity, self.specificity, prevalence)
        return self if found is None else replace(found, typed=True)

    @property
    def films(self) -> int:
        """The number of labeled films on this side of the threshold."""
        above = self.sensitivity.hits + self.specificity.rest.hits
        return above if self.flagged else self.sensitivity.n + self.specificity.n - above

    @property
    def words(self) -> str:
        """The share with its interval: 8 in 100 such films have it [6\N{EN DASH}10]."""
        base = _base(self.share or self.high)
        low = min(round(self.low * base), base if self.low == 1 else base - 1)  # never rounds "some" to "all" or "none"
        high = max(round(self.high * base), 1 if self.high else 0)
        return f"{_counted(self.share, base)} such films have it {interval_text(f'{low:,}', f'{high:,}')}"


def predict_share(
    flagged: bool, sensitivity: Rate | None, specificity: Rate | None, prevalence: float | None = None
) -> PredictedShare | None:
    """Return the prediction for a film on this side of the threshold, by default at the counted films' prevalence.

    None unless films of both classes were counted and some film lies on this side.
    """
    if sensitivity is None or specificity is None or not sensitivity.n or not specificity.n:
        return None
    assumed = sensitivity.n / (sensitivity.n + specificity.n) if prevalence is None else prevalence
    values = predictive_values(sensitivity, specificity, assumed)
    found = values.ppv if flagged else values.npv
    if found is None:
        return None
    value, (low, high) = found.value, found.interval
    share = (value, low, high) if flagged else (1 - value, 1 - high, 1 - low)
    return PredictedShare(flagged, sensitivity, specificity, assumed, False, *share)


def parse_prevalence(sent: object) -> float | None:
    """Convert a prevalence in percent, a number or text, to a share in (0, 1); None if nothing was typed.

    Raises WrongPrevalence.
    """
    if sent is None or (isinstance(sent, str) and not sent.strip()):
        return None
    percent = _number(sent)
    if percent is None:
        raise WrongPrevalence("The prevalence is not a number", "Type a percentage, for example: 12.5")
    if not 0 < percent / 100 < 1:
        raise WrongPrevalence(
            f"{percent:g} % is not a usable prevalence",
            "Type a percentage above 0 and below 100.",
        )
    return percent / 100


def _base(share: float) -> int:
    return next((base for base in SHARE_BASES if share * base >= 1), SHARE_BASES[-1])


def _counted(share: float, base: int) -> str:
    """Return a count such as `8 in 100`; rounding never turns "some" into "all" or "none"."""
    count = round(share * base)
    if count == 0 < share:
        return f"fewer than 1 in {base:,}"
    if count == base and share < 1:
        return f"more than {base - 1:,} in {base:,}"
    return f"{count:,} in {base:,}"


def _number(sent: object) -> float | None:
    if isinstance(sent, str):
        sent = sent.strip().removesuffix("%").strip().replace(",", ".")
    try:
        return float(sent) if isinstance(sent, str | int | float) and not isinstance(sent, bool) else None
    except (ValueError, OverflowError):
        return None
