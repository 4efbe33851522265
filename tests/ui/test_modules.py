"""The page's modules: what they import is there, and what they compute is right, without the app."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from explorer.core.findings import FREQUENCY_SOURCES
from explorer.core.group_sources import GROUP_SOURCES
from explorer.ui.scripts import STATIC_FOLDER, imported_modules, module_address
from tests.support.wording import Wording
from tests.ui.loaded_modules import MODULES, loaded_modules, run

# What js_on_load or the page's head imports; everything else is there because one of these needs it.
MAIN = (
    *("read/read.js", "ask/ask.js", "explore/explore.js", "evaluate/evaluate.js", "simulate/simulate.js"),
    *("shared/tabs.js", "simulate/lesson_bar.js", "help/help.js", "folder/folder.js", "teach/teach.js"),
    *("teach/lessons.js", "teach/class_section.js", "teach/reviews.js"),
    *("class/learner.js", "class/alone.js", "review/reader.js"),  # learners and readers have pages of their own
)
# Which folders the modules of a folder may import: no tab another one, the viewer nothing of the page around it.
TABS = ("read", "ask", "explore", "evaluate", "simulate", "help", "folder", "teach", "class")
PERMITTED = {
    "viewer": {"viewer"},
    "shared": {"shared", "viewer"},
    **{tab: {tab, "shared", "viewer"} for tab in TABS},
    "review": {"review", "class", "shared", "viewer"},  # made of the learners' parts
}
FIGURES = STATIC_FOLDER / "shared" / "figures.js"  # imports nothing: even the viewer may use it


@pytest.fixture(scope="module")
def page(chromium: Browser) -> Iterator[Page]:
    with loaded_modules(chromium) as page:
        yield page


@pytest.mark.parametrize("module", MODULES)
def test_every_import_leads_to_a_module_that_exports_it(module: str) -> None:
    text = (STATIC_FOLDER / module).read_text(encoding="utf-8")
    found = re.findall(r'^import \{ (.+) \} from "(.+)";$', text, re.MULTILINE)
    assert len(found) == len(re.findall(r"^import\b", text, re.MULTILINE))
    for names, path in found:
        target = ((STATIC_FOLDER / module).parent / path).resolve()
        assert target == FIGURES or target.relative_to(STATIC_FOLDER).parts[0] in PERMITTED[module.split("/")[0]]
        declared = target.read_text(encoding="utf-8")
        for name in names.split(", "):
            assert re.search(
                rf"^export (?:const|let|class|function|async function) {re.escape(name)}\b", declared, re.MULTILINE
            ), name


def test_every_module_is_reached_from_a_main_one() -> None:
    assert sorted({name for main in MAIN for name in imported_modules(main)}) == MODULES


def test_no_module_imports_itself_through_others() -> None:
    direct = {
        name: set(re.findall(r'from "(.+)";$', (STATIC_FOLDER / name).read_text(encoding="utf-8"), re.MULTILINE))
        for name in MODULES
    }
    resolved = {
        name: {((STATIC_FOLDER / name).parent / path).resolve().relative_to(STATIC_FOLDER).as_posix() for path in paths}
        for name, paths in direct.items()
    }
    for name, paths in resolved.items():
        assert not [path for path in paths if name in imported_modules(path)]


def test_no_module_leaves_anything_in_the_window() -> None:
    for name in MODULES:
        assert not re.search(r"\bwindow\.\w+ *(?:\?\?)?=(?!=)", (STATIC_FOLDER / name).read_text(encoding="utf-8")), (
            name
        )


def test_the_address_changes_with_the_content() -> None:
    assert re.fullmatch(r"/tailscope/static/[0-9a-f]{16}/read/read\.js", module_address("read/read.js"))


@pytest.mark.browser
def test_every_module_loads_with_the_others(page: Page) -> None:
    assert page.evaluate("Object.keys(modules).length") == len(MODULES) - 1


STATES = [
    {},
    {"cohort": "a b", "finding": "mass"},
    {"ask": "a & b = c", "page": "2"},
    {"hide": "1", "sealed": "aB-_09", "page": "2"},
]


@pytest.mark.browser
@pytest.mark.parametrize("state", STATES, ids=str)
def test_an_address_of_explore_is_read_as_it_was_written(page: Page, state: dict[str, str]) -> None:
    assert run(page, "explore/address.js", "m.readExploreAddress(m.exploreAddress(v[0]))", state) == state
    address_of = str(run(page, "explore/address.js", "m.exploreAddress(v[0])", state))
    assert ("mass" in address_of) == (state.get("finding") == "mass" and "hide" not in state)


@pytest.mark.browser
def test_a_change_of_the_address_takes_words_away_and_keeps_the_rest(page: Page) -> None:
    changed = run(
        page,
        "explore/address.js",
        "m.changedState(v[0], v[1])",
        {"page": "2", "shuffle": "7", "hide": "1"},
        {"hide": None, "low": 0},
    )
    assert changed == {"page": "2", "low": "0"}  # what is seen stands in its order


@pytest.mark.browser
def test_a_damaged_sealed_address_stays_hidden(page: Page) -> None:
    assert run(page, "explore/address.js", "m.readExploreAddress('#explore?sealed=%')") == {"sealed": "%", "hide": "1"}


@pytest.mark.browser
def test_no_word_of_a_hidden_state_is_in_its_address(page: Page) -> None:
    hidden = {"hide": "1", "finding": "mass", "cohort": "c", "shuffle": "7", "page": "2"}
    assert run(page, "explore/address.js", "m.exploreAddress(v[0])", hidden) == "#explore?hide=1&page=2"
    assert (
        run(page, "explore/address.js", "m.exploreAddress(v[0])", hidden | {"sealed": "aB"})
        == "#explore?page=2&sealed=aB"
    )


@pytest.mark.browser
@pytest.mark.parametrize(("old", "new"), [("eaten", "confused"), ("doubts", "label-issues"), ("map", "map")])
def test_links_with_the_earlier_names_of_panels_open_the_same_panels(page: Page, old: str, new: str) -> None:
    read = run(page, "explore/address.js", f"m.readExploreAddress('#explore?cohort=c&panel={old}')")
    assert read == {"cohort": "c", "panel": new}
    unsealed = run(page, "explore/address.js", "m.changedState(v[0], v[1])", {"sealed": "aB"}, {"panel": old})
    assert unsealed == {"sealed": "aB", "panel": new}
    assert run(page, "explore/address.js", "m.exploreAddress(v[0])", read) == f"#explore?cohort=c&panel={new}"


@pytest.mark.browser
def test_a_film_of_the_simulator_is_an_address(page: Page) -> None:
    request = {"finding": "Pleural Effusion", "side": "left", "severity": 0.62}
    state = {"center": "B", "seed": 7, "version": 2, "requests": [request], "show": ["twin", "masks"]}
    rest = {"look": None, "seal": None, "quiz": None}
    assert run(page, "simulate/state.js", "m.readSimulateAddress(m.simulateAddress(v[0]))", state) == state | rest
    asked = {"question": {"kind": "present", "finding": "Aortic Elongation"}, "normals": 0.5}
    hidden = {
        "center": None,
        "seed": None,
        "version": None,
        "requests": [],
        "show": ["film"],
        "look": None,
        "seal": "a-_9",
        "quiz": asked,
    }
    assert run(page, "simulate/state.js", "m.readSimulateAddress(m.simulateAddress(v[0]))", hidden) == hidden
    assert run(page, "simulate/state.js", "m.readSimulateAddress('#simulate?seed=x').seed") == -1
    assert run(page, "simulate/state.js", "m.readSimulateAddress('#simulate?seed=7').version") == 1, (
        "links of before versions"
    )


@pytest.mark.browser
@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("m.scoreText(0.125)", "0.13"),
        ("m.wholeText(112120)", "112,120"),
        ("m.countText(1, 'film')", "1 film"),
        ("m.countText(2000, 'film')", "2,000 films"),
        ("m.signedText(-0.25)", "\u22120.25"),
        ("m.signedText(-0.001)", "0.00"),
        ("m.signedText(0.001, 3)", "+0.001"),
        ("m.rateText({ value: 0.5, low: 0.25, high: 0.75 })", "0.50 [0.25\u20130.75]"),
        ("m.rateText({ value: null })", "no films"),
    ],
)
def test_figures_are_written_the_same_everywhere(page: Page, expression: str, said: str) -> None:
    assert run(page, "shared/figures.js", expression) == said


@pytest.mark.browser
def test_a_long_list_is_cut(page: Page, wording: Wording) -> None:
    said = run(page, "shared/finding_words.js", "m.shortListText(v[0])", list("abcde"))
    assert str(said).startswith("a, b, c") and "2" in str(said) and "d, e" not in str(said)
    wording(said)


@pytest.mark.browser
def test_sources_of_frequency_groups_have_their_names(page: Page) -> None:
    named = {source: GROUP_SOURCES[source].short for source in FREQUENCY_SOURCES}
    assert run(page, "read/numbers.js", "m.GROUP_SOURCES") == named


def test_why_no_map_is_shown(page: Page, wording: Wording) -> None:
    sure = {"finding": "Mass", "above": True, "state": "above", "warning": None, "map": {"shown": True, "says": "so"}}

    def why(**changes: object) -> object:
        return run(page, "shared/finding_words.js", "m.whyNoMap(v[0])", sure | changes)

    assert why() == ""
    reasons = [
        why(above=False, state="below"),
        why(state="unsure"),
        why(state="cannot judge", warning="chance"),
        why(warning="chance"),
        why(map={"shown": False, "brief": "right in 6 %"}),
    ]
    assert len(set(reasons)) == 5 and "right in 6 %" in str(reasons[-1])
    for reason in reasons:
        wording(reason)
    assert why(map={"shown": None, "brief": "not known"}) == ""  # it stands beside the map


@pytest.mark.browser
def test_file_names_tell_exports_apart_and_nothing_of_a_typed_word(page: Page) -> None:
    def name(**said: str) -> object:
        told = {"tab": "read", "model": "nih-mini", "sha256": "3f2a51c0e8d1"} | said
        return run(page, "shared/exports.js", "m.fileName('png', v[0], new Date(2026, 10, 4, 9, 5))", told)

    assert name(finding="Pleural Effusion") == "tailscope_read_nih-mini_pleural-effusion_20261104-0905_3f2a51c0.png"
    assert name() == "tailscope_read_nih-mini_20261104-0905_3f2a51c0.png"
    assert name(finding="../\u00e9 =x") == "tailscope_read_nih-mini_x_20261104-0905_3f2a51c0.png"


@pytest.mark.browser
def test_window_and_level_stay_in_their_limits(page: Page) -> None:
    module = "viewer/gray_window.js"
    start = {"width": 1, "level": 0.5, "inverted": False}
    assert run(page, module, "m.dragWindow(v[0], 0, 0)", start) == start
    assert run(page, module, "m.dragWindow(v[0], 9999, 9999)", start) == start | {"width": 2, "level": 1}
    assert run(page, module, "m.windowWords(v[0])", start) == "W 100 L 50"
    assert (
        run(page, module, "m.windowWords({ width: 0.05, level: 0.5, inverted: true })")
        == "W 5.0 L 50.0, inverted display"
    )


@pytest.mark.browser
def test_a_window_spreads_its_grays_over_the_screen(page: Page) -> None:
    grays = (
        "[0, 16384, 32768, 49152, 65535].map((level) => m.fillWindowTable(v[0], new Uint32Array(65536))[level] & 255)"
    )
    window = {"width": 0.5, "level": 0.5, "inverted": False}
    assert run(page, "viewer/gray_window.js", grays, window) == [0, 0, 128, 255, 255]
    assert run(page, "viewer/gray_window.js", grays, window | {"inverted": True}) == [255, 255, 127, 0, 0]


def test_an_estimate_and_its_interval_have_the_same_digits(page: Page) -> None:
    body = "[m.estimateFigureText(v[0]), m.estimateIntervalText(v[0])]"
    seen = run(page, "explore/panel_base.js", body, {"value": 0.0031, "low": 0.0009, "high": 0.0204})
    assert seen == ["0.003", "[0.001\u20130.020]"]


def test_a_column_of_differences_has_as_many_digits_as_its_least_sure_row_earns(page: Page) -> None:
    sure, unsure = {"value": 0.00001, "low": -0.004, "high": 0.006}, {"value": -0.0123, "low": -0.4, "high": 0.3}
    assert run(page, "shared/figures.js", "m.earnedDigits(v)", sure) == 3
    digits = run(page, "shared/figures.js", "m.earnedDigits(v)", sure, unsure)
    body = "m.makeDifferenceParts(v[0], true, v[1]).map((part) => part.textContent)"
    marked = {"marked": True, "p": 0.03}
    assert run(page, "explore/panel_base.js", body, sure | marked, digits) == ["0.00", "[0.00, +0.01]", "\u25c6"]
    seen = run(page, "explore/panel_base.js", body, unsure | marked, digits)
    assert seen == ["\u22120.01", "[\u22120.40, +0.30]", "\u25c6"]


def test_behind_the_first_map_come_those_that_are_shown_unasked(page: Page) -> None:
    better = {"shown": True, "says": "so", "brief": "so"}
    row = {"finding": "Mass", "state": "above", "above": True, "warning": None, "map": better}
    rows = [
        row,
        row | {"finding": "Nodule", "map": better | {"shown": None}},
        row | {"finding": "Fracture", "map": better | {"shown": False}},
        row | {"finding": "Pneumonia", "warning": "Confounded."},
        row | {"finding": "Edema", "state": "below", "above": False},
        row | {"finding": "Hernia", "state": "cannot judge", "warning": "chance"},
        row | {"finding": "Normal"},
    ]
    asked = run(
        page,
        "shared/film_maps.js",
        """(async () => {
            const asked = [];
            const answer = async (findings) => (asked.push(findings), { stage: "heat", findings, maps: "", grid: 0 });
            await new m.FilmMaps(v[0], answer, () => {}).fetchFirst("Fracture");
            return asked;
        })()""",
        rows,
    )
    assert asked == [["Fracture"], ["Mass", "Nodule"]]


def test_a_box_that_is_drawn_anew_keeps_the_keyboards_focus(page: Page) -> None:
    page.evaluate("document.body.innerHTML = '<section><summary>Details</summary><a href=\"#a\">one</a></section>'")
    focused = """(words) => {
      const box = document.querySelector("section");
      [...box.children].find(({ textContent }) => textContent === words).focus();
      m.redrawKeepingFocus(box, () => box.replaceChildren(...[...box.children].map((each) => each.cloneNode(true))));
      return document.activeElement.textContent;
    }"""
    assert run(page, "shared/elements.js", f"({focused})('one')") == "one"


def test_long_names_break_between_the_parts_of_a_word_and_say_the_same(page: Page) -> None:
    names = ["Hydropneumothorax", "Mass, Pneumoperitoneum", "Pneumothorax", "Pneumonia", "Vertebral Changes"]
    broken = [str(run(page, "shared/elements.js", "m.hyphenate(v[0])", name)) for name in names]
    assert [name.replace("\N{SOFT HYPHEN}", "-") for name in broken] == [
        *("Hydro-pneumo-thorax", "Mass, Pneumo-peritoneum", "Pneumothorax", "Pneumonia", "Vertebral Changes")
    ]
