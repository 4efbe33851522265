"""A learner as the learners' page is one: waits for news, fetches film and picture, answers, looks at the reveal."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter, defaultdict
from collections.abc import Awaitable
from dataclasses import dataclass, field
from typing import Any

from explorer.school.class_file.learner_page import LEARNER_PAGE, served_files
from tests.support.class_client import ClassClient, NotAnswered, json_of

FILES = tuple(served_files())  # of the learners' page, each of which a browser asks for
ANSWERS: dict[str, list[dict[str, object]]] = {
    "findings": [{"findings": {"Goiter": "left"}}, {"findings": {}}],
    "point": [{"point": [0.35, 0.45]}, {"point": [0.9, 0.9]}, {"point": None}],
    "normal": [{"normal": True}, {"normal": False}],
    "present": [{"present": True}, {"present": False}],
}


@dataclass
class Heard:
    """What all learners met: milliseconds by kind of request, what was acknowledged, and what went wrong."""

    times: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    kept: dict[tuple[str, int], dict[str, object]] = field(default_factory=dict)
    wrong: Counter[str] = field(default_factory=Counter)
    stepped: float = 0.0  # when the teacher went on


class ClassLearner:
    """One learner; `at_once` films are answered by all in the same moment."""

    def __init__(self, port: int, nickname: str, heard: Heard, seed: int) -> None:
        self.nickname = nickname
        self._news, self._asks = ClassClient(port), ClassClient(port)
        self._heard = heard
        self._draw = random.Random(seed)
        self._state: dict[str, Any] = {"version": 0, "answered": [], "revealed": []}

    async def learn(self, code: str, think: float) -> None:
        """Take part until the class ends; an answer is given within `think` seconds."""
        for name in FILES:
            await self._timed("page", self._asks.asked_again("/" if name == LEARNER_PAGE else f"/{name}"))
        said = await self._timed("join", self._asks.asked_again("/join", {"code": code, "nickname": self.nickname}))
        if said is None:
            return
        self._news.cookie = self._asks.cookie
        work: set[asyncio.Task[None]] = set()
        seen: set[tuple[str, int]] = set()
        while self._state.get("stage") != "ended":
            if not await self._hear():
                continue
            film, stage = self._state["film"], self._state["stage"]
            if stage in ("open", "revealed") and (stage, film) not in seen:
                seen.add((stage, film))
                work.add(asyncio.create_task(self._answer(film, think) if stage == "open" else self._look(film)))
        await asyncio.gather(*work)
        await self._timed("sheet", self._asks.asked_again("/sheet"))
        self._news.close()
        self._asks.close()

    async def _hear(self) -> bool:
        """Whether there is news; how long they took since the teacher's step is noted."""
        try:
            status, body = await self._news.asked_again(f"/state?since={self._state['version']}")
        except NotAnswered:
            self._heard.wrong["state not answered"] += 1
            await asyncio.sleep(0.2)
            return False
        if status != 200:
            self._heard.wrong[f"state {status}"] += 1
            await asyncio.sleep(0.2)
            return False
        before, self._state = self._state, json_of(body)
        is_step = any(before.get(name) != self._state[name] for name in ("stage", "film"))
        if is_step and self._heard.stepped:
            self._heard.times["news of a step"].append(1000 * (time.monotonic() - self._heard.stepped))
        return before["version"] != self._state["version"]

    async def _answer(self, film: int, think: float) -> None:
        shown = await self._timed("film", self._asks.asked_again(f"/film/{film}"))
        if shown is None:
            return
        await self._timed("picture", self._asks.asked_again(f"/picture/{film}/0"))
        # Of every fourth film all answer in the same moment.
        await asyncio.sleep(think / 2 if film % 4 == 0 else self._draw.uniform(0, think))
        answer = {"sure": self._draw.randint(1, 3), **self._draw.choice(ANSWERS[json_of(shown)["kind"]])}
        if await self._timed("answer", self._asks.asked_again("/answer", {"film": film, "answer": answer})) is not None:
            said = {name: value for name, value in answer.items() if value is not None}  # "not there" is no point
            self._heard.kept[self.nickname, film] = said

    async def _look(self, film: int) -> None:
        await self._timed("reveal", self._asks.asked_again(f"/reveal/{film}"))

    async def _timed(self, kind: str, asked: Awaitable[tuple[int, bytes]]) -> bytes | None:
        """The body of an answer; None, with what went wrong noted, where there is none."""
        begun = time.monotonic()
        try:
            status, body = await asked
        except NotAnswered:
            self._heard.wrong[f"{kind} not answered"] += 1
            return None
        self._heard.times[kind].append(1000 * (time.monotonic() - begun))
        if status != 200:
            self._heard.wrong[f"{kind} {status}: {body[:80]!r}"] += 1
            return None
        return body
