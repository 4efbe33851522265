"""The page's scripts: modules of `static/`, served under an address that changes with their content.

A component's `js_on_load` imports its own module and calls `mount`. The browser keeps modules for good and loads each
one once, however many tabs import it.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import posixpath
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from explorer.ui.gradio_host.fewer_frames import STANDS

OUTDATED = "This tab did not load: Tailscope was restarted or is no longer running. Load the page again."
STATIC = Path(__file__).resolve().parent / "static"
FIRST = "read/read.js"  # of the tab that is open first
_IMPORT = re.compile(r'^import\b[^;]*?"(.+?)";$', re.MULTILINE)


@dataclass(frozen=True)
class _Scripts:
    """Every module by its path in `static/`, as it was at the start: its bytes, and the same compressed."""

    digest: str
    files: dict[str, tuple[bytes, bytes]]


def _plain(data: object) -> str:
    """JSON that no parser of HTML takes for markup, wherever the script is written."""
    return json.dumps(data).replace("<", "\\u003c")


def address(module: str) -> str:
    """Where the page finds a module. Imports inside it are relative, so they lead to the same digest."""
    return f"/tailscope/static/{_scripts().digest}/{module}"


def mount(module: str, *events: str, **data: object) -> str:
    """The `js_on_load` of a component: its module's `mount` gets what Gradio gives, and `data`.

    Gradio lets a component have the `events` whose names it finds quoted in this script.
    """
    # Inert until its script answers: what is clicked before that would be lost.
    quoted = ", ".join(f'"{event}"' for event in events)
    return (
        f"// Events: {quoted or 'none'}\n"
        f"const data = {_plain(data)};\n"
        "element.inert = true;\n"
        # Absolute: a browser may take the compiled function of another page, and an address relative to that one's.
        f"import(new URL({json.dumps(address(module))}, location.href)).then(({{ mount }}) => {{\n"
        "  mount({ element, trigger, props, server, watch, upload, data });\n"
        "  element.inert = false;\n"
        f'  dispatchEvent(new Event("{STANDS}"));\n'
        "}).catch((error) => {\n"
        "  element.inert = false;\n"
        f"  element.textContent = {json.dumps(OUTDATED)};\n"
        "  throw error;\n"
        "});"
    )


def head() -> str:
    """What the page's head loads: the script of the tabs, and ahead of time what the first tab will import."""
    loaded = [f'<link rel="modulepreload" fetchpriority="low" href="{address(module)}">' for module in imported(FIRST)]
    return "\n".join([f'<script type="module" src="{address("shared/tabs.js")}"></script>', *loaded])


def imported(module: str) -> list[str]:
    """A module and all that it imports, each once."""
    files, found = _scripts().files, [module]
    for name in found:  # grows meanwhile
        text = files[name][0].decode()
        paths = [posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) for path in _IMPORT.findall(text)]
        found += [path for path in paths if path not in found]
    return found


def script_route() -> Route:
    """The route that serves the modules."""
    scripts = _scripts()

    async def script(request: Request) -> Response:
        found = scripts.files.get(request.path_params["path"])
        if found is None or request.path_params["digest"] != scripts.digest:
            return PlainTextResponse("There is no such script.", status_code=404, headers={"cache-control": "no-store"})
        raw, zipped = found
        accepted = "gzip" in request.headers.get("accept-encoding", "")
        headers = {"cache-control": "private, max-age=31536000, immutable", "vary": "accept-encoding"}
        if accepted:
            headers["content-encoding"] = "gzip"
        return Response(zipped if accepted else raw, media_type="text/javascript", headers=headers)

    return Route("/tailscope/static/{digest}/{path:path}", script)


@cache
def _scripts() -> _Scripts:
    found = {path.relative_to(STATIC).as_posix(): path.read_bytes() for path in sorted(STATIC.rglob("*.js"))}
    digest = hashlib.sha256()
    for name, content in found.items():
        digest.update(f"{name} {len(content)}\n".encode() + content)
    return _Scripts(
        digest.hexdigest()[:16],
        {name: (content, gzip.compress(content, mtime=0)) for name, content in found.items()},
    )
