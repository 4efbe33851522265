"""A script that lets Gradio's page come to rest.

Gradio's loading indicator requests animation frames forever, even once it is gone, which kept a tenth of a core busy on
an idle page. Gradio's module captures `requestAnimationFrame` on load, so this script must come first.
"""

from __future__ import annotations

from explorer.web.asgi import Application, Receive, Scope, Send, collected_answer

COMPONENT_READY = "tailscope-stands"  # the event of a component whose script has started
# Until then frames come at the browser's pace. Afterwards the captured function yields one frame a second, and
# callbacks queued before yield five a second for a while: Gradio's loop of springs and transitions runs on for four
# seconds without visible motion.
FEWER_FRAMES_SCRIPT = f"""<script>
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
  addEventListener("{COMPONENT_READY}", () => {{
    stands = true;
    window.requestAnimationFrame = fewer;
  }}, {{ once: true }});
}}
</script>"""
_HEAD = b"<head>"


class FewerFrames:
    """ASGI middleware: inserts the script before Gradio's own. Must be inside the compressing middleware."""

    def __init__(self, app: Application) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "GET" or scope["path"] != "/":
            await self._app(scope, receive, send)
            return
        start, *parts = await collected_answer(self._app, scope, receive)
        body = b"".join(part.get("body", b"") for part in parts).replace(_HEAD, _HEAD + FEWER_FRAMES_SCRIPT.encode(), 1)
        headers = [(name, value) for name, value in start["headers"] if name != b"content-length"]
        headers.append((b"content-length", str(len(body)).encode()))
        await send({**start, "headers": headers})
        await send({"type": "http.response.body", "body": body})
