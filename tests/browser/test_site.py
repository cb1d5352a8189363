"""The static site in a real Chromium, opened from the disk: on a phone, in the dark, on paper."""

import pytest

from tools import site

pytestmark = pytest.mark.xdist_group("site")  # written once, not once a worker

PHONE = {"width": 360, "height": 740}
SOURCES = [*site.reading_order(), *(site.ROOT / name for name in site.TEXTS)]

# Reaches over the right edge, and is not inside something that scrolls by itself
TOO_WIDE = """() => [...document.querySelectorAll('body *')]
    .filter(e => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest('pre, .wide, .formula'))
    .map(e => e.outerHTML.slice(0, 120))"""
# Taller than its box: lies over what follows, or is hidden there
TOO_TALL = """() => [...document.querySelectorAll('main *')]
    .filter(e => e.clientHeight && e.scrollHeight > e.clientHeight + 4 && !e.closest('math, tr'))
    .map(e => `${e.scrollHeight} in ${e.clientHeight}: ${e.outerHTML.slice(0, 120)}`)"""
BRIGHTNESS = """selector => {
    const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
    const style = getComputedStyle(document.querySelector(selector));
    return [style.color, style.backgroundColor].map(colour => {
        canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
        return canvas.getImageData(0, 0, 1, 1).data.slice(0, 3).reduce((a, b) => a + b) / 765;
    });
}"""


@pytest.fixture(scope="session")
def course(tmp_path_factory):
    made = site.Site(out=tmp_path_factory.mktemp("site"))
    made.write()
    return made


class Reader:
    """A page of the site as somebody reads it; `noise` is what it logged, `outside` what it asked for."""

    def __init__(self, context, course):
        self.course, self.noise, self.outside = course, [], []
        self.page = context.new_page()
        self.page.on("console", lambda message: self.noise.append(message.text))
        self.page.on("pageerror", lambda error: self.noise.append(str(error)))
        self.page.on("requestfailed", lambda request: self.noise.append(f"failed: {request.url}"))
        self.page.on("request", lambda request: self.asked(request.url))

    def asked(self, url):
        if not url.startswith((self.course.out.as_uri(), "data:")):
            self.outside.append(url)

    def open(self, source):
        self.page.goto((self.course.out / self.course.page(source)).as_uri())
        return self.page


@pytest.fixture(scope="session")
def with_settings(browser):
    """A context with these settings, each made once."""
    made = {}

    def with_settings(**settings):
        key = repr(settings)
        if key not in made:
            made[key] = browser.new_context(**settings)
        return made[key]

    yield with_settings
    for each in made.values():
        each.close()


@pytest.fixture
def read(with_settings, course):
    readers = []

    def read(source, **settings):
        readers.append(Reader(with_settings(**settings), course))
        readers[-1].open(source)
        return readers[-1]

    yield read
    for reader in readers:
        reader.page.close()


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.relative_to(site.ROOT).as_posix())
def test_every_page_on_a_phone(read, source):
    reader = read(source, viewport=PHONE)
    for details in reader.page.locator("details").all():
        details.evaluate("e => { e.open = true; }")
    assert reader.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert reader.page.evaluate(TOO_WIDE) == []
    assert reader.page.evaluate(TOO_TALL) == []
    assert reader.page.locator("h1").inner_text()
    broken = "images => images.filter(e => !(e.complete && e.naturalWidth)).map(e => e.src.slice(0, 100))"
    assert reader.page.locator("img").evaluate_all(broken) == []
    assert (reader.noise, reader.outside) == ([], [])


def test_a_wide_table_scrolls_by_itself(read):
    page = read(site.ROOT / "notebooks/05_ndcg.ipynb", viewport=PHONE).page
    wide = page.locator(".wide").filter(has_text="ideal contribution").first
    assert wide.evaluate("e => e.scrollWidth > e.clientWidth")
    wide.evaluate("e => { e.scrollLeft = 1000; }")
    assert wide.evaluate("e => e.scrollLeft") > 0


@pytest.mark.parametrize(("scheme", "dark"), [("light", False), ("dark", True)])
@pytest.mark.parametrize("selector", ["body", ".highlight pre", ".rk"])
def test_the_theme_is_the_reader_s(read, scheme, dark, selector):
    page = read(site.ROOT / "notebooks/05_ndcg.ipynb", color_scheme=scheme).page
    text, _ = page.evaluate(BRIGHTNESS, selector)
    _, paper = page.evaluate(BRIGHTNESS, "body")
    assert (text > 0.7 and paper < 0.2) if dark else (text < 0.4 and paper > 0.9)


def test_bars_of_a_stored_table_follow_the_theme(read):
    colours = [
        read(site.ROOT / "notebooks/05_ndcg.ipynb", color_scheme=scheme)
        .page.locator(".rk-bar")
        .first.evaluate("e => getComputedStyle(e).backgroundColor")
        for scheme in ("light", "dark")
    ]
    assert len(set(colours)) == 2


def test_folded_text_opens_by_keyboard_and_is_open_on_paper(read):
    page = read(site.ROOT / "notebooks/05_ndcg.ipynb").page
    text = page.get_by_text("Worst first, with")
    assert not text.is_visible()
    page.locator("summary").first.focus()
    page.keyboard.press("Enter")
    assert text.is_visible()
    page.keyboard.press("Enter")
    page.emulate_media(media="print", color_scheme="dark")
    assert text.bounding_box()["height"] > 10
    assert not page.locator("nav").is_visible()
    _, paper = page.evaluate(BRIGHTNESS, "body")
    assert paper > 0.9


def test_from_the_index_to_the_last_page_by_links_alone(read):
    reader = read(site.ROOT / "README.md")
    page = reader.page
    page.locator("main table a").first.click()
    seen = []
    while True:
        seen.append(page.locator("h1").inner_text())
        following = page.locator("a[rel=next]")
        if not following.count():
            break
        following.click()
    assert seen == [reader.course.titles[path] for path in site.reading_order()]
    page.get_by_role("navigation", name="All lessons").get_by_role("link", name="About the course").click()
    assert page.locator("h1").inner_text() == "rankedu"
    assert (reader.noise, reader.outside) == ([], [])


def test_on_a_phone_the_list_of_lessons_is_one_press_away(read):
    page = read(site.ROOT / "notebooks/05_ndcg.ipynb", viewport=PHONE).page
    page.get_by_role("link", name="All lessons").click()
    box = page.locator("nav").bounding_box()
    assert -1 <= box["y"] < PHONE["height"]
    page.locator("nav").get_by_role("link", name="06 · Precision and recall").click()
    assert page.url.endswith("/notebooks/06_precision_and_recall.html")


def test_a_formula_is_set_by_the_browser(read):
    page = read(site.ROOT / "notebooks/05_ndcg.ipynb").page
    fraction = page.locator("mfrac").first
    over, under = (fraction.locator("> *").nth(n).bounding_box() for n in (0, 1))
    assert over["y"] + over["height"] <= under["y"] + 1
    rows = page.locator("mtable").first.locator("mtr")
    left = [row.locator("mo", has_text="=").first.bounding_box()["x"] for row in rows.all()]
    assert max(left) - min(left) < 1, "the equal signs stand below one another"
