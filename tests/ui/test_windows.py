"""What counts as a complaint of a page: what Gradio says of a page that is left does not, all else does."""

from tests.ui.windows import CUT_OFF, UNANSWERED, Complaints


def test_a_page_that_is_left_while_it_waits_has_not_failed() -> None:
    complaints = Complaints()
    complaints.console("error", f"{CUT_OFF}\n    at kn.close")
    complaints.console("error", f"{UNANSWERED} ")
    complaints.console("log", "anything")
    assert complaints.heard == []
    complaints.console("error", "TypeError: nothing")
    complaints.is_left = False  # the next document has come
    complaints.console("error", UNANSWERED)
    assert complaints.heard == ["console: TypeError: nothing", f"console: {UNANSWERED}"]
