"""What Gradio's page needs to come to rest.

The mark that it shows while it loads asks for a frame again and again, and does so for ever when it is gone: an idle
page kept a tenth of a core busy. Its module holds on to the function that it finds when it is loaded, so that this must
come first.
"""

from __future__ import annotations

from explorer.web.asgi import Application, Receive, Scope, Send, answer_of

STANDS = "tailscope-stands"  # the event of a component whose script has begun
# Until then frames are the browser's. From then on whoever holds on to the first of these functions gets one a second;
# and what asked for frames before gets five a second for a while: Gradio's loop of springs and transitions goes on for
# four seconds, though nothing that is seen moves.
SCRIPT = f"""<script>
{{
  const frame = window.requestAnimationFrame;
  const early = new WeakSet();
  let stands = false;
  let turns = 300;
  window.requestAnimationFrame = (step) => {{
    if (stands) return setTimeout(() => step(performance.now()), 1000);
    early.add(step);
    return frame.call(window, step);
  }};
  const fewer = (step) =>
    early.has(step) && turns-- > 0 ? setTimeout(() => step(performance.now()), 200) : frame.call(window, step);
  addEventListener("{STANDS}", () => {{
    stands = true;
    window.requestAnimationFrame = fewer;
  }}, {{ once: true }});
}}
</script>"""
_HEAD = b"<head>"


class FewerFrames:
    """ASGI middleware: puts the script before those of Gradio's page. To stand inside what compresses the page."""

    def __init__(self, app: Application) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "GET" or scope["path"] != "/":
            await self._app(scope, receive, send)
            return
        start, *parts = await answer_of(self._app, scope, receive)
        body = b"".join(part.get("body", b"") for part in parts).replace(_HEAD, _HEAD + SCRIPT.encode(), 1)
        headers = [(name, value) for name, value in start["headers"] if name != b"content-length"]
        headers.append((b"content-length", str(len(body)).encode()))
        await send({**start, "headers": headers})
        await send({"type": "http.response.body", "body": body})
