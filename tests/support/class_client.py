"""A learner's device as a program: one connection that is kept, requests one after another, the cookie of the class."""

from __future__ import annotations

import asyncio
import json
from typing import Any


class NotAnswered(Exception):
    """The connection ended before the answer was whole."""


LONGEST = 60.0  # s that an answer may take; news are waited for 20 s


class ClassClient:
    """Asks a class at a port of 127.0.0.1."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self.cookie = ""

    async def ask(self, path: str, sent: object = None) -> tuple[int, bytes]:
        """Status and body of GET, or of POST where something is sent. Raises NotAnswered."""
        try:
            async with asyncio.timeout(LONGEST):
                if self._streams is None:
                    self._streams = await asyncio.open_connection("127.0.0.1", self._port)
                return await self._asked(*self._streams, path, sent)
        except (OSError, asyncio.IncompleteReadError, ValueError) as error:
            self.close()
            raise NotAnswered from error

    async def asked_again(self, path: str, sent: object = None) -> tuple[int, bytes]:
        """As `ask`; where the server ended a connection that was idle, on a new one."""
        try:
            return await self.ask(path, sent)
        except NotAnswered:
            return await self.ask(path, sent)

    async def join(self, code: str, nickname: str) -> int:
        """The status."""
        return (await self.ask("/join", {"code": code, "nickname": nickname}))[0]

    def close(self) -> None:
        """Let go of the connection."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None

    async def _asked(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, path: str, sent: object
    ) -> tuple[int, bytes]:
        body = b"" if sent is None else json.dumps(sent).encode()
        lines = [f"{'GET' if sent is None else 'POST'} {path} HTTP/1.1", f"Host: 127.0.0.1:{self._port}"]
        lines += [f"Cookie: {self.cookie}"] if self.cookie else []
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"] if sent is not None else []
        writer.write("\r\n".join([*lines, "", ""]).encode() + body)
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers: dict[str, str] = {}
        for line in head[1:]:
            name, _, value = line.partition(":")
            headers[name.lower()] = value.strip()
        if "set-cookie" in headers:
            self.cookie = headers["set-cookie"].partition(";")[0]
        answer = await reader.readexactly(int(headers.get("content-length", "0")))
        if headers.get("connection", "").lower() == "close":
            self.close()
        return int(head[0].split()[1]), answer


def json_of(body: bytes) -> Any:  # noqa: ANN401 - whatever JSON holds
    """What a body says."""
    return json.loads(body)
