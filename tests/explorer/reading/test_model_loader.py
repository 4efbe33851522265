"""A model is loaded in the background; libraries that cannot be imported are a sentence."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest

from explorer.asking.model import load_text_model
from explorer.reading.model_loader import BackgroundModel, load_classifier
from models.cards.card import UnusableModel
from tests.support.wording import Wording


@pytest.mark.parametrize("load", [load_classifier, load_text_model])
def test_torch_that_cannot_be_imported_is_a_sentence(
    load: Callable[..., object], monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.setitem(sys.modules, "models.load", None)  # not torch, which this process may use already
    model = BackgroundModel("nih-mini", lambda: load("nih-mini", "cpu"))  # type: ignore[arg-type, return-value]
    model.start()
    with pytest.raises(UnusableModel, match=".venv") as caught:
        model()
    wording(caught.value, "PyTorch", "make run")
    assert model.status == str(caught.value)
