"""A refusal as the page's scripts and API callers receive it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, Protocol, TypedDict, TypeVar

import gradio as gr

from models.refusal import Refusal

Payload = TypeVar("Payload")


class RefusalText(Protocol):
    """Anything that says what is wrong and what to do: a `models.refusal.Refusal` or the phantom's WrongRequest."""

    title: str
    detail: str


RefusalStage = Literal["refused", "unscored", "apart", "wrong"]


class RefusedPayload(TypedDict):
    """What is wrong and what to do; `stage` names the part of the page concerned."""

    stage: RefusalStage
    title: str
    detail: str


def refusal_payload(refusal: RefusalText, stage: RefusalStage = "refused") -> RefusedPayload:
    """The refusal as the answer to a script's call."""
    return {"stage": stage, "title": refusal.title, "detail": refusal.detail}


def answer_or_refusal(work: Callable[[], Payload]) -> Payload | RefusedPayload:
    """The answer of `work`, or its refusal."""
    try:
        return work()
    except Refusal as refusal:
        return refusal_payload(refusal)


def gradio_error(refusal: RefusalText) -> gr.Error:
    """The refusal as the error of an API endpoint."""
    return gr.Error(str(refusal), title=refusal.title, print_exception=False)
