"""The page's scripts: the modules of `static/`, served under an address that changes with their content.

A component's `js_on_load` imports its module and calls `mount`. Browsers cache modules for good and load each one
once, however many tabs import it.
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

from explorer.ui.gradio_host.fewer_frames import COMPONENT_READY

STALE_TAB_MESSAGE = "This tab did not load: Tailscope was restarted or is no longer running. Load the page again."
STATIC_FOLDER = Path(__file__).resolve().parent / "static"
FIRST_MODULE = "read/read.js"  # the module of the tab shown first
_IMPORT = re.compile(r'^import\b[^;]*?"(.+?)";$', re.MULTILINE)


@dataclass(frozen=True)
class _Scripts:
    """All modules by their path in `static/`, as read at startup: raw bytes and gzipped bytes."""

    digest: str
    files: dict[str, tuple[bytes, bytes]]


def _plain(data: object) -> str:
    """JSON that HTML parsers cannot mistake for markup."""
    return json.dumps(data).replace("<", "\\u003c")


def module_address(module: str) -> str:
    """The address of a module. Its imports are relative, so they keep the digest."""
    return f"/tailscope/static/{_scripts().digest}/{module}"


def mount_script(module: str, *events: str, **data: object) -> str:
    """The `js_on_load` of a component: calls its module's `mount` with Gradio's arguments and `data`.

    Gradio enables exactly those `events` whose quoted names appear in this script.
    """
    # The component is inert until its script runs, so no click is lost.
    quoted = ", ".join(f'"{event}"' for event in events)
    return (
        f"// Events: {quoted or 'none'}\n"
        f"const data = {_plain(data)};\n"
        "element.inert = true;\n"
        # An absolute address: a browser may reuse a function compiled for another page and resolve paths against that
        # page.
        f"import(new URL({json.dumps(module_address(module))}, location.href)).then(({{ mount }}) => {{\n"
        "  mount({ element, trigger, props, server, watch, upload, data });\n"
        "  element.inert = false;\n"
        f'  dispatchEvent(new Event("{COMPONENT_READY}"));\n'
        "}).catch((error) => {\n"
        "  element.inert = false;\n"
        f"  element.textContent = {json.dumps(STALE_TAB_MESSAGE)};\n"
        "  throw error;\n"
        "});"
    )


def head_tags() -> str:
    """The tags for the page's head: the tabs' script, and preloads of what the first tab imports."""
    loaded = [
        f'<link rel="modulepreload" fetchpriority="low" href="{module_address(module)}">'
        for module in imported_modules(FIRST_MODULE)
    ]
    return "\n".join([f'<script type="module" src="{module_address("shared/tabs.js")}"></script>', *loaded])


def imported_modules(module: str) -> list[str]:
    """A module and everything it imports, without repeats."""
    files, found = _scripts().files, [module]
    for name in found:  # the list grows during the loop
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
    found = {
        path.relative_to(STATIC_FOLDER).as_posix(): path.read_bytes() for path in sorted(STATIC_FOLDER.rglob("*.js"))
    }
    digest = hashlib.sha256()
    for name, content in found.items():
        digest.update(f"{name} {len(content)}\n".encode() + content)
    return _Scripts(
        digest.hexdigest()[:16],
        {name: (content, gzip.compress(content, mtime=0)) for name, content in found.items()},
    )
