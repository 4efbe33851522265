"""Which test files one worker runs after each other: those that ask the same server, so that it starts only once.

A server is Tailscope in a process of its own, with its models, its loaded tables and its intervals: whoever asks first
waits for all of them.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pytest

ROOT = Path(__file__).parents[2]
# Of tests/ui/conftest.py: each server that is everybody's, with the fixtures that lead to it.
SERVERS = {
    "cohort_server": ("cohort_server", "new_explorer", "new_board", "new_panel"),
    "server": ("server", "new_visitor", "visitor", "reader", "desk", "bare", "masses"),
    "phantom_server": ("phantom_server",),
    "models_server": ("models_server",),
    "changed_server": ("changed_server", "new_changer"),
}
# The parameters of tests and of fixtures.
_PARAMETERS = re.compile(r"^(?:def test_\w+|@pytest\.fixture.*\ndef \w+)\(([^)]*)\)", re.MULTILINE)


@cache
def server_of(file: str) -> str | None:
    """The first of SERVERS that a test file's functions have among their parameters; None where they have none."""
    if not file.startswith("tests/ui/"):
        return None
    text = (ROOT / file).read_text(encoding="utf-8")
    own = set(re.findall(r"^def (\w+)\(", text, re.MULTILINE))  # fixtures of the file's, whatever they are called
    asked = set(re.findall(r"\w+(?=:)", ",".join(_PARAMETERS.findall(text)))) - own
    shared = (name for name, fixtures in SERVERS.items() if name not in own and asked & set(fixtures))
    return next(shared, None)


def place_of(file: str) -> int:
    """Files of servers come first, one server's after each other: what is left fills up the workers' time."""
    server = server_of(file)
    return len(SERVERS) if server is None else list(SERVERS).index(server)


def scheduler(config: pytest.Config, log: Any) -> Any:  # noqa: ANN401 - xdist says no types
    """Gives a worker all files of a server or one other file."""
    from xdist.scheduler import LoadFileScheduling

    class ByServer(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = nodeid.partition("::")[0]
            return server_of(file) or file

    return ByServer(config, log)
