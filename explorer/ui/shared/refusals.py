"""A refusal as the page's scripts and programs receive it."""

from __future__ import annotations

from typing import Literal, Protocol, TypedDict

import gradio as gr


class RefusalText(Protocol):
    """What says what is wrong and what to do: a `models.refusal.Refusal`, or the phantom's WrongRequest."""

    title: str
    detail: str


Stage = Literal["refused", "unscored", "apart", "wrong"]


class RefusedPayload(TypedDict):
    """What is wrong and what to do; `stage` tells the script which part of the page it concerns."""

    stage: Stage
    title: str
    detail: str


def refused(refusal: RefusalText, stage: Stage = "refused") -> RefusedPayload:
    """The answer in the place of what was asked for."""
    return {"stage": stage, "title": refusal.title, "detail": refusal.detail}


def shown(refusal: RefusalText) -> gr.Error:
    """The same for a program that calls an endpoint."""
    return gr.Error(str(refusal), title=refusal.title, print_exception=False)
