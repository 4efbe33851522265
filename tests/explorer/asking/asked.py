"""A question put to the model without weights, of a film on which it sees an effusion unless told otherwise."""

from __future__ import annotations

import numpy as np

from explorer.asking.answer import FilmAnswer
from explorer.asking.asker import Asker
from explorer.asking.question import checked_question
from tests.explorer.asking.fake import FakeVlm, film, reading_of, text_vector

SEEN = text_vector("effusion")


def asker_of(model: FakeVlm) -> Asker:
    return Asker(lambda: model)


def asked(model: FakeVlm, text: str, features: np.ndarray = SEEN, **how: object) -> FilmAnswer:
    refused = bool(how.pop("refused", False))
    return asker_of(model).ask(film(), reading_of(features, refused), checked_question(text), **how)  # type: ignore[arg-type]
