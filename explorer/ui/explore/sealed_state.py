"""Seals the words of Explore's state that would reveal hidden labels, so that only the server can read them.

The script and the address hold the sealed words as a code. Cohort, model, center and page reveal nothing and stay
readable. The seal is that of Simulate's hidden films: explorer.school.class_file.sealed.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, Literal, TypedDict
from urllib.parse import parse_qsl, urlencode

from explorer.school.class_file.sealed import MAX_CODE_CHARS, Seal, WrongSeal, machine_seal
from explorer.store.filter_registry import FILTERS
from explorer.ui.explore.slice_calls import ScriptCall
from explorer.ui.shared.links import SLICE_ADDRESS_WORDS
from explorer.ui.shared.refusals import RefusedPayload, refusal_payload
from explorer.ui.shared.request_values import state_in

# Words that reveal labels, scores or outcomes, and words that do not.
REVEALING_WORDS = {word.name for each in FILTERS if each.tells for word in each.words}
READABLE_WORDS = (
    *(word for word in SLICE_ADDRESS_WORDS if word not in REVEALING_WORDS),
    "hide",
    "shuffle",
    "page",
    "case",
)
_BESIDE = ("page", "case", "hide", "sealed")  # left out of the code, which holds only the slice and its order

StateWords = Mapping[str, Any]


class SealedStatePayload(TypedDict):
    """The code of a state, for a link."""

    stage: Literal["sealed"]
    seal: str


class SealedStates:
    """Opens and seals the states of Explore's calls. `seal` is called when labels are first hidden."""

    def __init__(self, seal: Callable[[], Seal] = machine_seal) -> None:
        self._seal = seal

    @cached_property
    def _machine_seal(self) -> Seal:
        return self._seal()

    def unsealed_call(self, call: ScriptCall) -> ScriptCall:
        """Wrap a call: it receives the unsealed state, and its changes to a hidden state return sealed."""

        def opened_call(sent: object) -> object:
            opened = self.opened(sent)
            try:
                return self._sealed_answer(state_in(sent), state_in(opened), call(opened))
            except WrongSeal as wrong:
                return refusal_payload(wrong)

        opened_call.__name__ = call.__name__
        return opened_call

    def opened(self, sent: object) -> object:
        """The argument with its state unsealed; a state that cannot be unsealed stays hidden and is `broken`.

        If the script has followed a link and has no words yet, readable words come from the code too.
        """
        state = state_in(sent)
        if "sealed" not in state or not isinstance(sent, Mapping):
            return sent
        beside = {name: value for name, value in state.items() if name != "sealed"}
        words = self._words(state["sealed"])
        if "cohort" in beside:
            words = {name: value for name, value in words.items() if name not in READABLE_WORDS}
        return {**sent, "state": {**words, **beside}}

    def slice_sealed(self, sent: object) -> SealedStatePayload | RefusedPayload:
        """The code of a state {state}, for a link."""
        try:
            return {"stage": "sealed", "seal": self._code(state_in(self.opened(sent)))}
        except WrongSeal as wrong:
            return refusal_payload(wrong)

    def _sealed_answer(self, had: StateWords, state: StateWords, answer: object) -> object:
        """The answer, with changes that turn the script's state into the new one.

        While labels are hidden, the changes contain no revealing words.
        """
        if not isinstance(answer, Mapping) or "changes" not in answer or not (state.get("hide") or "sealed" in had):
            return answer
        now = {name: value for name, value in {**state, **answer["changes"]}.items() if value is not None}
        hidden = bool(state.get("hide"))
        shown = (
            {name: now[name] for name in READABLE_WORDS if name in now} | {"sealed": self._code(now)} if hidden else now
        )
        changes = {name: shown.get(name) for name in {**had, **shown} if had.get(name) != shown.get(name)}
        return {**answer, "changes": changes, "filtered": hidden and not REVEALING_WORDS.isdisjoint(now)}

    def _code(self, state: StateWords) -> str:
        words = sorted((name, value) for name, value in state.items() if name not in _BESIDE and isinstance(value, str))
        code = self._machine_seal.close(urlencode(words))
        if len(code) > MAX_CODE_CHARS:
            raise WrongSeal("These filters are too long for a hidden link", "Remove some of them, then hide labels.")
        return code

    def _words(self, code: object) -> dict[str, str]:
        try:
            return dict(parse_qsl(self._machine_seal.open(code)))
        except WrongSeal:
            return _old_link_words(code) or {"broken": "1"}


def _old_link_words(code: object) -> dict[str, str]:
    """The words of an old link from before sealing, in plain base 64; empty if it is not one."""
    if not isinstance(code, str) or len(code) > MAX_CODE_CHARS:
        return {}
    try:
        words = dict(parse_qsl(base64.urlsafe_b64decode(code + "=" * (-len(code) % 4)).decode("ascii")))
    except ValueError:
        return {}
    return words if words.get("hide") else {}
