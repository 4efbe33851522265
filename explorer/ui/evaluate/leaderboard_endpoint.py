"""The endpoint `/evaluate`: the leaderboard of a cohort's models for programs, with the figures of the page."""

# No postponed annotations here: gradio reads the return type of `answer` to describe its endpoint.

from collections.abc import Callable
from typing import TYPE_CHECKING

from explorer.analysis.leaderboard.joint_metrics import MEASURES
from explorer.analysis.leaderboard.joint_scores import models_at_first
from explorer.analysis.leaderboard.rows import BoardAnswer, board_answer
from explorer.settings import READS
from explorer.store.names import NOT_SCORED, WrongName, cohort_named, models_named, usual_model
from explorer.store.where_words import slice_in
from explorer.ui.evaluate.panels.panel import Asked
from explorer.ui.evaluate.subject import Subject, films_chosen
from explorer.ui.shared.refusals import gradio_error
from explorer.ui.shared.sent_values import sent_text, sent_texts
from explorer.ui.shared.services import Services
from models.refusal import Refusal

if TYPE_CHECKING:
    from explorer.store.store import Store


class EvaluateAnswer(BoardAnswer):
    """The leaderboard; `computing`: intervals, differences and p are still to come, ask again in some seconds."""

    computing: bool


EvaluateCall = Callable[..., EvaluateAnswer]


def board_endpoint(services: Services) -> EvaluateCall:
    """What answers `/evaluate`."""

    def answer(cohort: str, models: list[str] | None = None, where: str = "", natural: bool = False) -> EvaluateAnswer:
        """The leaderboard of models on the films of `where`, as "center=B, view=AP"; differences are to the first, and
        outcomes and scores in `where` are the first's.

        Without `models`: those that the page compares at first. `natural`: each film counts as often as nature has it.
        Not for medical use.
        """
        try:
            named = sent_texts(models, "The models")
            words = sent_text(cohort, "The cohort"), sent_text(where, "The filters")
            subject = _subject(services.store, *words, named, natural=natural is True)
            report = Asked(services, subject, {}).report()
            return {**board_answer(report), "computing": not report.board.resamples}
        except Refusal as refusal:
            raise gradio_error(refusal) from refusal

    return answer


def _subject(store: "Store", cohort: str, where: str, named: tuple[str, ...], *, natural: bool) -> Subject:
    """As the page asks, the models in the order of their names: what it has computed is not computed again."""
    there = store.models(cohort_named(store, cohort).name)
    if not there:
        raise WrongName(f"No model has scored {cohort} yet", NOT_SCORED)
    first = models_named(store, cohort, named)[0].model if named else usual_model(there, READS).model
    models = tuple(sorted(named or models_at_first(store, cohort, first)))
    films = films_chosen(store, slice_in(store, cohort, first, where, {}), models)
    return Subject(films, models, models.index(first), MEASURES[0], natural, ())
