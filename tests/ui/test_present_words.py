"""What a presented film and a class are said to be: the word of an address, which choice is true, how many were."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from models.statistics import wilson
from tests.ui.loaded_modules import loaded_modules, run

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def page(chromium: Browser) -> Iterator[Page]:
    with loaded_modules(chromium) as page:
        yield page


@pytest.mark.parametrize(
    ("hash_", "on"),
    [
        ("#simulate?center=A&seed=7", "#simulate?center=A&seed=7&present=1"),
        ("#ask", "#ask?present=1"),
        ("", "#read?present=1"),
        ("#explore?sealed=YT0x", "#explore?sealed=YT0x&present=1"),
    ],
)
def test_an_address_keeps_that_its_film_is_presented(page: Page, hash_: str, on: str) -> None:
    module = "shared/present_address.js"
    assert run(page, module, "m.presentAddress(...v)", hash_, True, "read") == on
    assert run(page, module, "m.presentAddress(v[0], true)", on) == on
    assert run(page, module, "m.presentAddress(v[0], false)", on) == (hash_ or "#read")
    assert run(page, module, "v.map(m.isPresented)", hash_, on, "#x?present=12", "#x?unpresent=1") == [
        False,
        True,
        False,
        False,
    ]
    assert run(page, module, "m.presentAddress('#x?present=1&a=2', false)") == "#x?a=2"


REVEAL = {"present": [{"finding": "Mass", "side": "left"}], "absent": ["Nodule"], "normal": False, "pair": 1}


@pytest.mark.parametrize(
    ("kind", "finding", "true", "others"),
    [
        ("findings", None, "Mass", ["Nodule", "no finding"]),
        ("normal", None, "not normal", ["normal"]),
        ("present", "Mass", "present", ["absent"]),
        ("present", "Nodule", "absent", ["present"]),
        ("pair", "Mass", "second film", ["first film"]),
        ("point", "Nodule", "not there", ["pointed"]),
    ],
)
def test_which_choice_agrees_with_the_truth(
    page: Page, kind: str, finding: str | None, true: str, others: list[str]
) -> None:
    film = {"kind": kind, "finding": finding, "reveal": REVEAL}
    said = run(
        page, "teach/class_words.js", "v[1].map((words) => m.agreesWithTruth(words, v[0]))", film, [true, *others]
    )
    assert said == [True, *(False for _ in others)]
    hidden = film | {"reveal": None}
    assert run(page, "teach/class_words.js", "m.agreesWithTruth(v[1], v[0])", hidden, true) is False


def test_where_nobody_knows_the_truth_no_choice_is_true(page: Page) -> None:
    unknown = {"present": [], "absent": [], "normal": None, "pair": None}
    for kind, choices in {"normal": ["normal", "not normal"], "present": ["present", "absent"]}.items():
        film = {"kind": kind, "finding": "Mass", "reveal": unknown}
        assert run(
            page, "teach/class_words.js", "v[1].map((words) => m.agreesWithTruth(words, v[0]))", film, choices
        ) == [
            False,
            False,
        ]


@pytest.mark.parametrize(("hits", "n"), [(0, 1), (3, 7), (9, 9), (4, 10), (50, 50)])
def test_how_many_were_correct_stands_with_its_interval_from_ten_answers_on(page: Page, hits: int, n: int) -> None:
    low, high = wilson(hits, n)
    said = run(page, "shared/correct_words.js", "m.correctWords(v[0])", {"hits": hits, "n": n, "interval": [low, high]})
    figures = f"{100 * hits / n:.0f}\u00a0% [{100 * low:.0f}\u2013{100 * high:.0f}]"
    assert said == f"{hits} of {n} correct" + (f": {figures}" if n >= 10 else "")
    assert run(page, "shared/correct_words.js", "m.correctWords({ hits: 0, n: 0, interval: null })").startswith(
        "No answer"
    )  # type: ignore[attr-defined]  # JSON


def test_rows_that_no_room_is_left_for_are_counted(page: Page) -> None:
    """What the script leaves out and what does not fit, together."""
    shown = run(
        page,
        "shared/present_panel.js",
        """(() => {
            const panel = new m.PresentPanel(() => {});
            document.body.replaceChildren(panel.element);
            const many = (n, row) => Array.from({ length: n }, () => row);
            const rows = many(3, { finding: "Mass", score: 0.5, words: "" });
            const tally = { n: 9, of: 9, rows: many(5, { words: "Mass", n: 1 }), more: 2, right: "" };
            const after = (height) => {
              panel.content.style.cssText = `height: ${height}px; overflow: hidden`;
              panel.fit();
              const count = (those) => [...panel.element.querySelectorAll(those)].filter((each) => !each.hidden).length;
              const words = (those) => panel.element.querySelector(those).textContent;
              return [count("tr"), words("caption .present-more"), count("li"), words("p .present-more")];
            };
            panel.show({ models: [{ name: "one", rows, more: 4 }], tally }, {});
            return [after(2000), after(120)];
        })()""",
    )
    roomy, tight = shown
    assert roomy == [3, "+4 more", 5, "+2 more"]
    assert tight[0] < 3 and tight[1] == f"+{4 + 3 - tight[0]} more"
    assert tight[2] <= 5 and tight[3] == f"+{2 + 5 - tight[2]} more"
