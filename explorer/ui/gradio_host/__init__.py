"""Serves the page, and holds all code that depends on Gradio's internals (written for Gradio 6.31).

Before you raise Gradio's version, go through this list: each file says why it exists, and its test fails if Gradio
changes.

| file | why | test |
|---|---|---|
| `serve` | the application behind the guard; the queue polls 20 times a second, not 1,000 | `test_server` |
| `guard` | Gradio answers preflights of other pages, and allows every local port to read | `test_guard` |
| `one_application` | Gradio would make its web application four times at each start | `test_one_application` |
| `fixed_config` | Gradio would work out the page's configuration again for each visitor: 30 ms | `test_fixed_config` |
| `front_page` | Gradio would render the page for each visitor: 10 ms | `test_front_page` |
| `fewer_frames` | an idle page would draw sixty frames a second | `test_fewer_frames` |
| `wrong_calls` | a call that Gradio cannot parse gets a clear refusal, not Gradio's error | `test_wrong_calls` |
| `call_gate` | bounded bodies, and the page's own functions only, before Gradio reads a call | `test_call_gate` |
| `upload_room` | an upload waits for room; a broken one is deleted | `test_upload_room` |
| `visitor_cookie` | an upload belongs to the browser that sent it; Gradio has no owners | `test_front_page` |
| `quiet_errors` | terminal errors without values: a file name may contain a patient's name | `test_quiet_errors` |

`explorer/runtime/without_stubs.py` belongs here too: it stops Gradio from parsing its own source to write .pyi files,
half of its import time. It must run before Gradio is imported, so it cannot be in a package that imports it
(`test_without_stubs`).
"""
