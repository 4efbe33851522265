"""Serves the page, and holds every place that leans on Gradio's insides (written for Gradio 6.31).

Before you raise Gradio's version, go through this list: each file says why it is needed, and its
test fails when Gradio changes under it.

| file | why | test |
|---|---|---|
| `serve` | the application behind the guard; the queue looks for work 20 times a second, not 1,000 | `test_server` |
| `guard` | Gradio answers preflights of other pages, and allows every local port to read | `test_guard` |
| `one_application` | Gradio would make its web application four times at each start | `test_one_application` |
| `fixed_config` | Gradio would work out the page's configuration again for each visitor: 30 ms | `test_fixed_config` |
| `front_page` | Gradio would render the page again for each visitor: 10 ms | `test_front_page` |
| `fewer_frames` | a page at rest would draw sixty frames a second | `test_fewer_frames` |
| `wrong_calls` | a call that Gradio cannot read is answered in words, not by its own failure | `test_wrong_calls` |
| `call_gate` | bounded bodies, and the page's own functions only, before Gradio reads a call | `test_call_gate` |
| `upload_room` | an upload waits for room; what breaks off is deleted | `test_upload_room` |
| `visitor_cookie` | an upload belongs to the browser that sent it; Gradio knows no owner | `test_front_page` |
| `sent_files` | a call may name the files that were uploaded here, no others | `test_server` |
| `quiet_errors` | errors on the terminal without values: a file's name may be a patient's | `test_quiet_errors` |

`explorer/runtime/without_stubs.py` belongs here too: Gradio parses its own source to write .pyi files, half of its
import's time. It has to run before Gradio is imported, so it cannot lie in a room that imports it
(`test_without_stubs`).
"""
