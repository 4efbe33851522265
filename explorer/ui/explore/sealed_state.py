"""Explore's state while labels are hidden: what tells of them is in it under a seal that only the server opens.

The script and the address keep the sealed words as a code; cohort, model, center and page, which do not tell, stand
beside it. The seal is that of Simulate's hidden films: explorer.school.class_file.sealed.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, Literal, TypedDict
from urllib.parse import parse_qsl, urlencode

from explorer.school.class_file.sealed import LONGEST, Seal, WrongSeal, own_seal
from explorer.store.filter_registry import FILTERS
from explorer.ui.explore.slice_calls import Call
from explorer.ui.shared.links import SLICE_WORDS
from explorer.ui.shared.refusals import RefusedPayload, refused
from explorer.ui.shared.request_values import state_in

# The words of a state that say nothing of labels, scores or outcomes.
TELLING = {word.name for each in FILTERS if each.tells for word in each.words}
CLEAR = (*(word for word in SLICE_WORDS if word not in TELLING), "hide", "shuffle", "page", "case")
_BESIDE = ("page", "case", "hide", "sealed")  # not in the code: it is of the slice and its order

Words = Mapping[str, Any]


class SealedStatePayload(TypedDict):
    """The code of a state, for a link."""

    stage: Literal["sealed"]
    seal: str


class SealedStates:
    """Opens and seals the states of Explore's calls. `seal` is asked for when the first is hidden."""

    def __init__(self, seal: Callable[[], Seal] = own_seal) -> None:
        self._seal = seal

    @cached_property
    def _own(self) -> Seal:
        return self._seal()

    def opening(self, call: Call) -> Call:
        """The same call: it gets the words of a sealed state, and what it changes in a hidden one goes back sealed."""

        def opened_call(sent: object) -> object:
            opened = self.opened(sent)
            try:
                return self._closed(state_in(sent), state_in(opened), call(opened))
            except WrongSeal as wrong:
                return refused(wrong)

        opened_call.__name__ = call.__name__
        return opened_call

    def opened(self, sent: object) -> object:
        """What was sent, with the words of a sealed state; one that does not open stays hidden, and is `broken`.

        Words that do not tell are taken from the code where the script has none yet: it follows a link.
        """
        state = state_in(sent)
        if "sealed" not in state or not isinstance(sent, Mapping):
            return sent
        beside = {name: value for name, value in state.items() if name != "sealed"}
        words = self._words(state["sealed"])
        if "cohort" in beside:
            words = {name: value for name, value in words.items() if name not in CLEAR}
        return {**sent, "state": {**words, **beside}}

    def slice_sealed(self, sent: object) -> SealedStatePayload | RefusedPayload:
        """The code of a state {state}, for a link."""
        try:
            return {"stage": "sealed", "seal": self._code(state_in(self.opened(sent)))}
        except WrongSeal as wrong:
            return refused(wrong)

    def _closed(self, had: Words, state: Words, answer: object) -> object:
        """The answer with changes that make of the state that the script has the one that it may have.

        While labels are hidden nothing that tells is among them.
        """
        if not isinstance(answer, Mapping) or "changes" not in answer or not (state.get("hide") or "sealed" in had):
            return answer
        now = {name: value for name, value in {**state, **answer["changes"]}.items() if value is not None}
        hidden = bool(state.get("hide"))
        shown = {name: now[name] for name in CLEAR if name in now} | {"sealed": self._code(now)} if hidden else now
        changes = {name: shown.get(name) for name in {**had, **shown} if had.get(name) != shown.get(name)}
        return {**answer, "changes": changes, "filtered": hidden and not TELLING.isdisjoint(now)}

    def _code(self, state: Words) -> str:
        words = sorted((name, value) for name, value in state.items() if name not in _BESIDE and isinstance(value, str))
        code = self._own.close(urlencode(words))
        if len(code) > LONGEST:
            raise WrongSeal("These filters are too long for a hidden link", "Take some of them away, then hide labels.")
        return code

    def _words(self, code: object) -> dict[str, str]:
        try:
            return dict(parse_qsl(self._own.open(code)))
        except WrongSeal:
            return _written_in_code(code) or {"broken": "1"}


def _written_in_code(code: object) -> dict[str, str]:
    """The words of a link that was made before links were sealed: base64 alone. None where it is no such link."""
    if not isinstance(code, str) or len(code) > LONGEST:
        return {}
    try:
        words = dict(parse_qsl(base64.urlsafe_b64decode(code + "=" * (-len(code) % 4)).decode("ascii")))
    except ValueError:
        return {}
    return words if words.get("hide") else {}
