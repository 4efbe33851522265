"""What two kinds of visitors do: one reads films, one browses Explore. Each goes on until it is cancelled."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Coroutine
from typing import Any

from explorer.reading.samples import SAMPLES, sample_bytes
from explorer.simulator.address import make_address
from explorer.simulator.film_png import simulated_png
from tests.benchmarks.one_visitor import Failed, Visitor
from tests.support.film_files import PACKAGED

SAMPLE_KEYS = [sample.key for sample in SAMPLES if sample.key != "leg"]
# Seconds, evenly between: readers open a film, browsers a case about every 20 s. That is quick for who looks at films.
LOOK_AT_OPINION = (10.0, 30.0)
LOOK_AT_PAGE = (4.0, 12.0)
LOOK_AT_CASE = (8.0, 24.0)
ASK_PROGRESS, ASK_INTERVALS, ASK_ALIVE = 0.4, 0.7, 3.0  # seconds, as the page's scripts do
PAGES, CASES = (1, 3), (1, 3)  # of a slice, of a page
Json = dict[str, Any]


def films_to_upload() -> list[bytes]:
    """A real film, plain and compressed, and simulated ones, as files."""
    real = [sample_bytes("masses"), (PACKAGED / "RG1_J2KR.dcm").read_bytes()]
    return real + [simulated_png(make_address("B" if seed % 2 else "A", seed, ["Cardiomegaly"])) for seed in range(4)]


async def read(visitor: Visitor, uploads: list[bytes], chance: random.Random) -> None:
    """Open films one after another, an upload or a sample, and look at what the model says of each."""
    former = None
    while True:
        try:
            token = await _open(visitor, uploads, chance)
            await visitor.call("read", "film", token)
            if former:
                await visitor.call("read", "put_away", former)
            former = token
            progress = asyncio.create_task(_every(ASK_PROGRESS, visitor, "progress", token))
            await _while(progress, visitor.call("read", "opinion", token))
            joined = await visitor.call("read", "join", {"token": token, "cohort": ""})
            visitor.show(_thumbs(joined.get("alike") or []))
        except Failed:
            pass  # it was counted; the visitor looks at what the page says, then tries again
        await asyncio.sleep(chance.uniform(*LOOK_AT_OPINION))


async def _open(visitor: Visitor, uploads: list[bytes], chance: random.Random) -> str:
    alive = asyncio.create_task(_every(ASK_ALIVE, visitor, "progress", ""))
    if chance.random() < 0.5:
        opened = visitor.event("read", "sample", {"key": chance.choice(SAMPLE_KEYS)})
    else:
        path = await visitor.upload(chance.choice(uploads))
        opened = visitor.event("read", "uploaded", {"path": path})
    token: str = (await _while(alive, opened))["token"]
    return token


async def _every(seconds: float, visitor: Visitor, function: str, argument: object) -> None:
    while True:
        await asyncio.sleep(seconds)
        try:
            await visitor.call("read", function, argument)
        except Failed:
            pass  # it was counted


async def _while(beside: asyncio.Task[None], asked: Coroutine[Any, Any, Any]) -> Any:  # noqa: ANN401 - what `asked` gives
    try:
        return await asked
    finally:
        beside.cancel()


async def browse(visitor: Visitor, chance: random.Random) -> None:
    """Open slices of the first cohort one after another, turn pages, look at cases."""
    facets: Json = {}
    while True:
        try:
            facets = await _slice(visitor, facets, chance)
        except Failed:
            await asyncio.sleep(chance.uniform(*LOOK_AT_PAGE))


async def _slice(visitor: Visitor, facets: Json, chance: random.Random) -> Json:
    """One slice: its table beside a few pages of it."""
    state = _random_state(facets, chance)
    answer = await _page(visitor, state, facets)
    facets = answer.get("facets") or facets
    table = asyncio.create_task(_table(visitor, state | _kept(answer["changes"])))
    try:
        for number in range(1, chance.randint(*PAGES) + 1):
            if number > answer["pages"]:
                break
            if number > 1:
                state = state | {"page": str(number)}
                answer = await _page(visitor, state, facets)
            await asyncio.sleep(chance.uniform(*LOOK_AT_PAGE))
            for item in chance.sample(answer["items"], min(chance.randint(*CASES), len(answer["items"]))):
                await _case(visitor, state, item["id"])
                await asyncio.sleep(chance.uniform(*LOOK_AT_CASE))
    finally:
        table.cancel()
    return facets


def _random_state(facets: Json, chance: random.Random) -> Json:
    """The first one of a visit is the one that Explore begins with."""
    state = {}
    for key, share in (("finding", 0.7), ("center", 0.4), ("outcome", 0.6), ("sex", 0.2)):
        words = [value["word"] for value in facets.get(key, [])]
        if words and chance.random() < share:
            state[key] = chance.choice(words)
    return state


async def _page(visitor: Visitor, state: Json, facets: Json) -> Json:
    """A page with its thumbnails; then the next one and its thumbnails, as the page's script does in advance."""
    known = facets.get("version")
    answer: Json = await visitor.call("explore", "slice_page", {"state": state, "known": known}, "page of a slice")
    visitor.show(_thumbs(answer["items"]))
    if answer["page"] < answer["pages"]:
        ahead = state | {"page": str(answer["page"] + 1)}
        visitor.show(_thumbs((await visitor.call("explore", "slice_page", {"state": ahead, "known": known}))["items"]))
    return answer


async def _table(visitor: Visitor, state: Json) -> None:
    """The table of the slice, then its intervals again and again until they are computed."""
    try:
        await visitor.call("explore", "cell_table", {"state": state})
        while not (await visitor.call("explore", "cell_intervals", {"state": state}))["complete"]:
            await asyncio.sleep(ASK_INTERVALS)
    except Failed:
        pass  # it was counted


async def _case(visitor: Visitor, state: Json, case: str) -> None:
    """Place and film at once; facts, masks and nearest cases; the map of its finding once both are there."""
    asked = {"state": state, "case": case}

    known: Json = {}

    async def film() -> None:
        await visitor.call("explore", "case_film", asked, "film of a case")
        await mapped("film")

    async def mapped(there: str, finding: object = None) -> None:
        known[there] = finding
        if known.keys() == {"film", "facts"}:
            await visitor.call("explore", "case_maps", asked | {"findings": [known["facts"]]})

    async def facts() -> None:
        await mapped("facts", (await visitor.call("explore", "case_facts", asked)).get("finding"))
        await asyncio.gather(near(), visitor.call("explore", "case_masks", asked))

    async def near() -> None:
        visitor.show(_thumbs((await visitor.call("explore", "case_near", asked)).get("cases") or []))

    parts = [visitor.call("explore", "case_place", asked), film(), facts()]
    for failed in await asyncio.gather(*parts, return_exceptions=True):
        if isinstance(failed, BaseException) and not isinstance(failed, Failed):
            raise failed


def _thumbs(items: list[Json]) -> list[str]:
    return [item["thumb"] for item in items if item.get("thumb")]


def _kept(changes: Json) -> Json:
    return {name: word for name, word in changes.items() if word is not None}
