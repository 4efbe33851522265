"""The endpoint `/evaluate`: the leaderboard for programs, with the same figures as the page."""

# No postponed annotations: gradio reads the return type of `answer` to describe the endpoint.

from collections.abc import Callable
from typing import TYPE_CHECKING

from explorer.analysis.leaderboard.joint_metrics import BOARD_MEASURES
from explorer.analysis.leaderboard.joint_scores import default_models
from explorer.analysis.leaderboard.rows import BoardAnswer, board_answer
from explorer.settings import DEFAULT_CLASSIFIERS
from explorer.store.names import NOT_SCORED, WrongName, cohort_named, models_named, usual_model
from explorer.store.where_words import slice_in
from explorer.ui.evaluate.panels.panel import PanelRequest
from explorer.ui.evaluate.subject import Subject, canonical_film_slice
from explorer.ui.shared.refusals import gradio_error
from explorer.ui.shared.sent_values import sent_text, sent_texts
from explorer.ui.shared.services import Services
from models.refusal import Refusal

if TYPE_CHECKING:
    from explorer.store.store import Store


class EvaluateAnswer(BoardAnswer):
    """The leaderboard; `computing`: intervals, differences and p are not ready, call again in a few seconds."""

    computing: bool


EvaluateCall = Callable[..., EvaluateAnswer]


def board_endpoint(services: Services) -> EvaluateCall:
    """Return the function that answers `/evaluate`."""

    def answer(cohort: str, models: list[str] | None = None, where: str = "", natural: bool = False) -> EvaluateAnswer:
        """Return the leaderboard of models on the films that `where` selects, such as "center=B, view=AP".

        The first model is the reference for differences, and for outcomes and scores in `where`. Without `models`, the
        page's default models are compared. `natural` weights films to natural prevalence. Not for medical use.
        """
        try:
            named = sent_texts(models, "The models")
            words = sent_text(cohort, "The cohort"), sent_text(where, "The filters")
            subject = _subject(services.store, *words, named, natural=natural is True)
            report = PanelRequest(services, subject, {}).report()
            return {**board_answer(report), "computing": not report.board.resamples}
        except Refusal as refusal:
            raise gradio_error(refusal) from refusal

    return answer


def _subject(store: "Store", cohort: str, where: str, named: tuple[str, ...], *, natural: bool) -> Subject:
    """Return the subject with models sorted by name, as on the page, so that cached results are reused."""
    there = store.models(cohort_named(store, cohort).name)
    if not there:
        raise WrongName(f"No model has scored {cohort} yet", NOT_SCORED)
    named = tuple(each.model for each in models_named(store, cohort, named))
    first = named[0] if named else usual_model(there, DEFAULT_CLASSIFIERS).model
    models = tuple(sorted(named or default_models(store, cohort, first)))
    films = canonical_film_slice(store, slice_in(store, cohort, first, where, {}), models)
    return Subject(films, models, models.index(first), BOARD_MEASURES[0], natural, ())
