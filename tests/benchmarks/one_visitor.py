"""One visitor of the running app, as a browser is one: a session, six connections, the requests of its scripts."""

from __future__ import annotations

import asyncio
import heapq
import itertools
import json
import time
import uuid
from collections import Counter, defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx

CONNECTIONS = 6  # that a browser opens to one host; the heartbeat holds one of them
PICTURES = 3  # thumbnails that the page's script asks for at a time
PATIENCE = 300  # seconds until an answer is given up
WAITING = ("Too many", "Queue is full")  # how an answer begins that says that too many wait
NOW, PICTURE = 0, 1  # a browser sends what a script asks for before pictures


@dataclass
class Measured:
    """What every visitor met: milliseconds of each kind of call, and what went wrong, by kind and words."""

    times: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    waiting: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)

    def failed(self, kind: str, words: str) -> None:
        """Too many waiting is an answer; all else is an error."""
        (self.waiting if words.startswith(WAITING) else self.errors)[f"{kind}: {words[:120]}"] += 1


class Failed(Exception):
    """A request that came to nothing; it was counted."""


class _Connections:
    """A number of connections; who waits for one is served by urgency, then in order."""

    def __init__(self, free: int) -> None:
        self._free = free
        self._count = itertools.count()
        self._waiting: list[tuple[int, int, asyncio.Future[None]]] = []

    @asynccontextmanager
    async def one(self, urgency: int) -> AsyncIterator[None]:
        if self._free:
            self._free -= 1
        else:
            mine = asyncio.get_running_loop().create_future()
            heapq.heappush(self._waiting, (urgency, next(self._count), mine))
            await mine
        try:
            yield
        finally:
            self._release()

    def _release(self) -> None:
        while self._waiting:
            waiting = heapq.heappop(self._waiting)[2]
            if not waiting.done():  # else it was cancelled
                return waiting.set_result(None)
        self._free += 1
        return None


@dataclass(frozen=True)
class Page:
    """What the page's configuration says: components by element id, their events, and what runs when it opens."""

    components: dict[str, int]
    events: dict[tuple[int, str], int]

    @classmethod
    def of(cls, config: dict[str, Any]) -> Page:
        named = {each["props"].get("elem_id"): each["id"] for each in config["components"]}
        events = {(target[0], target[1]): each["id"] for each in config["dependencies"] for target in each["targets"]}
        return cls(named, events)


class Visitor:
    """Asks as a browser does. Every request is timed under its kind; one that fails is counted and raises Failed."""

    def __init__(self, client: httpx.AsyncClient, page: Page, measured: Measured) -> None:
        self._client = client
        self._page = page
        self._measured = measured
        self._session = uuid.uuid4().hex[:11]
        self._connections = _Connections(CONNECTIONS - 1)
        self._loaders = _Connections(PICTURES)
        self._pictures: set[str] = set()  # the browser keeps them
        self._loading: set[asyncio.Task[None]] = set()
        self._requests = 0

    @asynccontextmanager
    async def here(self) -> AsyncIterator[None]:
        """While the page is open: its heartbeat is what says so, and pictures that were asked for go when it closes."""
        await self._get("page", "/")
        beats = asyncio.create_task(self._beat())
        try:
            yield
        finally:
            for task in (beats, *self._loading):
                task.cancel()
            await asyncio.gather(beats, *self._loading, return_exceptions=True)

    async def call(self, tab: str, function: str, argument: object, kind: str = "") -> Any:  # noqa: ANN401 - JSON
        """What a server function of a tab's component answers; a refusal is counted as an error."""
        body = {
            "session_hash": self._session,
            "component_id": self._page.components[tab],
            "fn_name": function,
            "data": argument,
        }
        answer = (await self._post(kind or function, "/gradio_api/component_server", json=body)).json()
        if isinstance(answer, dict) and answer.get("stage") in ("refused", "unscored") and "title" in answer:
            self._measured.failed(kind or function, answer["title"])
            raise Failed
        return answer

    async def event(self, tab: str, name: str, sent: dict[str, object]) -> dict[str, Any]:
        """What the queue answers to an event of a tab's component: the value that the component is given."""
        self._requests += 1
        body = {
            "fn_index": self._page.events[self._page.components[tab], name],
            "data": [],
            "session_hash": self._session,
            "event_data": {**sent, "request": self._requests},
        }
        start = time.perf_counter()
        await self._post(f"{name}, queued", "/gradio_api/queue/join", json=body)
        value = await self._answer(name)
        self._measured.times[name].append(1000 * (time.perf_counter() - start))
        if "token" not in value:
            self._measured.failed(name, str(value.get("title")))
            raise Failed
        return value

    async def upload(self, data: bytes) -> str:
        """Send a file; returns its path on the server."""
        files = {"files": (uuid.uuid4().hex, data)}
        paths: list[str] = (await self._post("upload", "/gradio_api/upload", files=files)).json()
        return paths[0]

    def show(self, addresses: list[str]) -> None:
        """Begin to load pictures; a browser goes on with them while it asks for other things."""
        for address in addresses:
            if address not in self._pictures:
                self._pictures.add(address)
                task = asyncio.create_task(self._picture(address))
                self._loading.add(task)
                task.add_done_callback(self._loading.discard)

    async def _picture(self, address: str) -> None:
        try:
            async with self._loaders.one(PICTURE):
                await self._get("thumbnail", address, PICTURE)
        except Failed:
            self._pictures.discard(address)

    async def _beat(self) -> None:
        async with self._client.stream("GET", f"/gradio_api/heartbeat/{self._session}", timeout=None) as stream:
            async for _ in stream.aiter_lines():
                pass

    async def _answer(self, kind: str) -> dict[str, Any]:
        address = f"/gradio_api/queue/data?session_hash={self._session}"
        async with self._connections.one(NOW):
            try:
                async with self._client.stream("GET", address, timeout=PATIENCE) as stream:
                    async for line in stream.aiter_lines():
                        message = json.loads(line.removeprefix("data: ")) if line.startswith("data: ") else {}
                        if message.get("msg") == "process_completed" and message["success"]:
                            value: dict[str, Any] = message["output"]["data"][0]
                            return value
            except httpx.HTTPError as error:
                self._measured.failed(kind, type(error).__name__)
                raise Failed from error
        self._measured.failed(kind, "the event failed")
        raise Failed

    async def _get(self, kind: str, address: str, urgency: int = NOW) -> httpx.Response:
        return await self._request(kind, urgency, "GET", address)

    async def _post(self, kind: str, address: str, **content: Any) -> httpx.Response:  # noqa: ANN401 - httpx's own
        return await self._request(kind, NOW, "POST", address, **content)

    async def _request(self, kind: str, urgency: int, method: str, address: str, **content: Any) -> httpx.Response:  # noqa: ANN401
        start = time.perf_counter()
        async with self._connections.one(urgency):
            try:
                answer = await self._client.request(method, address, timeout=PATIENCE, **content)
            except httpx.HTTPError as error:
                self._measured.failed(kind, type(error).__name__)
                raise Failed from error
        if answer.status_code != 200:
            self._measured.failed(kind, _words(answer))
            raise Failed
        self._measured.times[kind].append(1000 * (time.perf_counter() - start))
        return answer


def _words(answer: httpx.Response) -> str:
    try:
        said = answer.json()
        return str(said.get("detail") or said.get("error"))
    except ValueError:
        return f"status {answer.status_code}"
