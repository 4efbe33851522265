"""The refusal for a model that has not scored perturbed films: which command scores them, and how long it takes."""

from __future__ import annotations

from explorer.analysis.leaderboard.joint_scores import NoComparison
from explorer.cohorts.manifest import ModelManifest
from explorer.cohorts.unlisted import public_name
from explorer.core.word_lists import quantity
from models.perturbations.film import Scale, levels

# Of one core for a film at one level: a network of 4 million parameters at 224 pixels, changing the film included.
SECONDS_EACH = 0.025
OUT_OF_FOLD = "out of fold"  # how the split of stored scores begins that other networks made
_UNITS = (("minute", 60), ("hour", 3600), ("day", 86_400))


def not_scored(cohort: str, model: ModelManifest, scale: Scale, films: int) -> NoComparison:
    """Return the refusal, with the time for this many films."""
    name, sets = public_name(cohort), 1 + len(levels(scale=scale))
    option = "" if scale == "matched" else f" --scale {scale}"
    in_sample = " The network has seen these films: such changes are in-sample." * model.split.startswith(OUT_OF_FOLD)
    return NoComparison(
        f"{model.model} has not scored perturbed films of {name}",
        f"Run `python -m explorer score --cohort {name} --model {model.model} --perturb all{option}`. "
        f"It scores {quantity(films, 'film')} {sets} times each, about {time_words(films * sets * SECONDS_EACH)} for a "
        f"small network on one core, and goes on where it stopped.{in_sample}",
    )


def time_words(seconds: float) -> str:
    """Return a duration in its largest fitting unit, such as `73 minutes` or `5 hours`."""
    fitting = [(word, length) for word, length in _UNITS if seconds >= 2 * length]
    word, length = fitting[-1] if fitting else _UNITS[0]
    return quantity(max(1, round(seconds / length)), word)
