"""JupyterLab in a real Chromium, driven the way a learner drives it.

`serve(root)` starts a JupyterLab of its own: a free loopback port; settings, trust database and progress file
in a temporary folder. `browse()` starts Chromium. `Notebook` is one open notebook: run it, press its keys,
time it, look at it. The fixtures in conftest.py and tools/screenshots.py are built on these three.
"""

import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from playwright.sync_api import Browser, BrowserContext, Locator, Page, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("notebooks", "exercises")
TOKEN = "rankedu"
STARTING, RUNNING = 60_000, 120_000  # milliseconds to wait for the page, and for all cells

# Chromium as root needs --no-sandbox; the others keep it from calling home or asking a first-run question
CHROMIUM_OPTIONS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

# Error lines on the console that JupyterLab writes by itself, whatever is in the notebook
NOT_OURS = ("Could not restore the debugger state",)  # after a restart of any kernel


def chromium() -> str | None:
    """The path of a Chromium or Chrome on this machine, or None."""
    names = (os.environ.get("CHROMIUM", ""), "chromium", "chromium-browser", "google-chrome", "chrome")
    return next((found for name in names if name and (found := shutil.which(name))), None)


def notebook_paths(root: Path = ROOT) -> list[Path]:
    """Every notebook of the course, relative to `root`, in reading order."""
    return [path.relative_to(root) for folder in FOLDERS for path in sorted((root / folder).glob("*.ipynb"))]


def copy_course(target: Path, source: Path = ROOT) -> Path:
    """`target`, now holding a copy of the notebooks: what a test saves never reaches the working tree."""
    for folder in FOLDERS:
        if (source / folder).is_dir():
            ignore = shutil.ignore_patterns(".ipynb_checkpoints", "__pycache__")
            shutil.copytree(source / folder, target / folder, ignore=ignore)
    return target


@dataclass
class Server:
    """A running JupyterLab."""

    url: str
    root: Path
    home: Path  # its settings, its trust database, its log, the learner's progress

    @property
    def progress(self) -> Path:
        return self.home / "progress.json"

    def request(self, method: str, path: str, body: object = None) -> object:
        """What the server's REST interface answers."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.url}/{path}", data=data, method=method)
        request.add_header("Authorization", f"token {TOKEN}")
        request.add_header("Content-Type", "application/json")
        with urllib.request.urlopen(request, timeout=30) as answer:
            text = answer.read()
        return json.loads(text) if text else None

    def theme(self, dark: bool) -> None:
        """Light or dark, for the pages opened from now on."""
        name = "JupyterLab Dark" if dark else "JupyterLab Light"
        self.request(
            "PUT",
            "lab/api/settings/@jupyterlab/apputils-extension:themes",
            {"raw": json.dumps({"theme": name})},
        )

    def stop_kernels(self) -> None:
        """Ends every kernel, so that twenty notebooks in a row need the memory of one."""
        for session in self.request("GET", "api/sessions"):
            with contextlib.suppress(urllib.error.HTTPError):
                self.request("DELETE", f"api/sessions/{session['id']}")


def _settings(folder: Path) -> None:
    def write(extension: str, plugin: str, **values: object) -> None:
        target = folder / "@jupyterlab" / extension / f"{plugin}.jupyterlab-settings"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(json.dumps(values))

    write("apputils-extension", "notification", fetchNews="false", checkForUpdates=False)  # no pop-up
    write("notebook-extension", "tracker", windowingMode="none")  # every cell is in the page
    write("docmanager-extension", "plugin", autosave=False)  # a notebook is saved when a test says so


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def serve(root: Path, python: str = sys.executable, environment: dict[str, str] | None = None):
    """A `Server` for the notebooks under `root`, stopped on leaving."""
    home = Path(tempfile.mkdtemp(prefix="rankedu-lab-"))
    _settings(home / "settings")
    port = _free_port()
    server = Server(f"http://127.0.0.1:{port}", Path(root), home)
    variables = {
        **os.environ,
        "JUPYTER_CONFIG_DIR": str(home / "config"),
        "JUPYTER_DATA_DIR": str(home / "data"),
        "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
        "JUPYTERLAB_SETTINGS_DIR": str(home / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(home / "workspaces"),
        "IPYTHONDIR": str(home / "ipython"),
        "RANKEDU_PROGRESS": str(server.progress),
        **(environment or {}),
    }
    command = [
        *(python, "-m", "jupyterlab", "--allow-root", "--no-browser", "--expose-app-in-browser"),
        *(
            "--ip=127.0.0.1",
            f"--port={port}",
            "--ServerApp.port_retries=0",
            f"--IdentityProvider.token={TOKEN}",
        ),
        *(f"--ServerApp.root_dir={root}", "--LabApp.news_url=None", "--LabApp.extension_manager=readonly"),
    ]
    log = home / "lab.log"
    with log.open("w") as output:
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, env=variables)
    try:
        _wait_for(server, process, log)
        yield server
    finally:
        with contextlib.suppress(OSError):
            server.stop_kernels()
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
        shutil.rmtree(home, ignore_errors=True)


def _wait_for(server: Server, process: subprocess.Popen, log: Path, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with contextlib.suppress(OSError):
            server.request("GET", "api/status")
            return
        if process.poll() is not None:
            break
        time.sleep(0.1)
    raise RuntimeError(f"JupyterLab did not start:\n{log.read_text()[-3000:]}")


@contextlib.contextmanager
def browse():
    """A running Chromium (Playwright's `Browser`)."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=CHROMIUM_OPTIONS)
        try:
            yield browser
        finally:
            browser.close()


def new_context(browser: Browser) -> BrowserContext:
    """A context that answers no request but loopback's; its pages share the cache of JupyterLab's scripts."""
    context = browser.new_context(reduced_motion="reduce")
    context.set_default_timeout(20_000)
    return context


# A learner who reads `[7]:` beside a cell, or an output, reads what these ask the page for.
TRACEBACK = ".jp-OutputArea-output[data-mime-type='application/vnd.jupyter.stderr']"
OUTPUT = ".jp-OutputArea-output"
SLIDER = f"{OUTPUT} [role=slider]"

_PANEL = "window.jupyterapp.shell.currentWidget"
_READY = f"""path => {{
    const panel = window.jupyterapp && {_PANEL};
    return panel && panel.context?.path === path && panel.sessionContext.isReady
        && panel.content.widgets.length > 0 && panel.sessionContext.session?.kernel?.status === 'idle';
}}"""
# The command's promise ends when the last cell has: stored execution counts cannot be mistaken for new ones
_COMMAND = """([name, args, wait]) => Promise.race([
    window.jupyterapp.commands.execute(name, args).then(() => null),
    new Promise((_, fail) => setTimeout(() => fail(new Error(`${name} takes more than ${wait} ms`)), wait)),
])"""
_ERRORS = f"""() => {_PANEL}.content.widgets.flatMap((cell, index) =>
    cell.model.type !== 'code' || (cell.model.getMetadata('tags') || []).includes('raises-exception') ? [] :
    cell.model.outputs.toJSON().filter(o => o.output_type === 'error')
        .map(o => `cell ${{index}}: ${{o.ename}}: ${{o.evalue}}`))"""
_STDERR = f"""() => {_PANEL}.content.widgets.flatMap((cell, index) => cell.model.type !== 'code' ? [] :
    cell.model.outputs.toJSON().filter(o => o.output_type === 'stream' && o.name === 'stderr')
        .map(o => `cell ${{index}}: ${{o.text}}`))"""
_NOT_RUN = f"""() => {_PANEL}.content.widgets.flatMap((cell, index) =>
    cell.model.type === 'code' && cell.model.sharedModel.source.trim() && !cell.model.executionCount
        ? [index] : [])"""
_SCROLLER = "document.querySelector('.jp-NotebookPanel:not(.lm-mod-hidden) .jp-WindowedPanel-outer')"
_FIND = f"""text => {_PANEL}.content.widgets.findIndex(c => c.model.sharedModel.source.includes(text))"""
# What was sent to the kernel and is not done: a queued cell, a moved slider. The kernel's status does not
# tell, since widgets may talk to it in a thread of their own.
_TRACK = """() => {
    const kernel = PANEL.sessionContext.session.kernel, pending = window.rankeduPending = new Set();
    kernel.anyMessage.connect((_, {msg, direction}) => {
        if (direction === 'send' && msg.channel === 'shell') pending.add(msg.header.msg_id);
        if (msg.content.execution_state === 'idle') pending.delete(msg.parent_header.msg_id);
    });
    kernel.statusChanged.connect((_, status) => { if (status.includes('restarting')) pending.clear(); });
}""".replace("PANEL", _PANEL)
# Nothing is under way, no widget is loading, and for 150 ms nothing in the notebook has changed
_SETTLED = """async (wait) => {
    const notebook = PANEL.content.node, end = performance.now() + wait;
    let changes = 1;
    const observer = new MutationObserver(() => { changes += 1; });
    observer.observe(notebook, {subtree: true, childList: true, characterData: true, attributes: true});
    const loading = () => [...notebook.querySelectorAll('.jp-OutputArea-output')]
        .some(e => e.textContent.trim().startsWith('Loading widget'));
    while (changes || window.rankeduPending.size || loading()) {
        if (performance.now() > end) throw new Error(`still changing after ${wait} ms`);
        changes = 0;
        await new Promise(done => setTimeout(done, 150));
    }
    observer.disconnect();
}""".replace("PANEL", _PANEL)
# Wider than the cell: sticks out of its output or rendered text, or hides there behind a scroll bar
_TOO_WIDE = """() => {
    const panel = document.querySelector('.jp-NotebookPanel:not(.lm-mod-hidden)');
    const cells = [...panel.querySelectorAll('.jp-Cell')], found = [];
    for (const area of panel.querySelectorAll('.jp-OutputArea-output, .jp-MarkdownOutput')) {
        const edge = area.getBoundingClientRect().right + 2;
        for (const e of [area, ...area.querySelectorAll('*')]) {
            if (e.closest('mjx-assistive-mml, svg, .noUi-target')) continue;
            const style = getComputedStyle(e), box = e.getBoundingClientRect();
            if (style.visibility === 'hidden' || style.position === 'fixed') continue;
            if (box.width < 2 || box.height < 2) continue;
            const hides = style.overflowX !== 'visible' && style.display !== 'inline' &&
                e.clientWidth > 1 && e.scrollWidth > e.clientWidth + 2;
            if (box.right <= edge && !hides) continue;
            const [needs, has] = hides ? [e.scrollWidth, e.clientWidth] : [box.right, edge];
            found.push(`cell ${cells.indexOf(area.closest('.jp-Cell'))}: ` +
                `<${e.tagName.toLowerCase()} class="${e.getAttribute('class') || ''}"> ` +
                `${e.textContent.trim().slice(0, 30)}: ${Math.ceil(needs)} of ${Math.floor(has)} px`);
            break;
        }
    }
    return found;
}"""
_LONG_LINES = """() => [...document.querySelectorAll('.jp-NotebookPanel:not(.lm-mod-hidden) .jp-Cell')]
    .flatMap((cell, index) => {
        const code = cell.querySelector('.jp-InputArea-editor .cm-scroller');
        return cell.classList.contains('jp-CodeCell') && code && code.scrollWidth > code.clientWidth + 2
            ? [`cell ${index}: code needs ${code.scrollWidth} px, has ${code.clientWidth} px`] : [];
    })"""
# When the output that holds the control changes, sliders apart: its first changed text, its first new picture
_WATCH = """(control) => {
    const output = control.closest('.jp-OutputArea-output');
    window.rankeduTimes = {};
    window.rankeduObserver?.disconnect();
    window.rankeduObserver = new MutationObserver(changes => {
        const now = performance.now();
        for (const change of changes) {
            const node = change.target.nodeType === 1 ? change.target : change.target.parentElement;
            if (!node || node.closest('.widget-slider')) continue;
            const drawn = change.type === 'attributes' ? node.tagName === 'IMG' :
                [...change.addedNodes].some(e => e.tagName === 'IMG' || e.querySelector?.('img'));
            if (drawn) window.rankeduTimes.picture ??= now;
            else if (change.type !== 'attributes') window.rankeduTimes.text ??= now;
        }
    });
    window.rankeduObserver.observe(output, {subtree: true, childList: true, characterData: true,
        attributes: true, attributeFilter: ['src']});
    const pressed = () => { window.rankeduTimes = {key: performance.now()}; };
    control.addEventListener('keydown', pressed, {capture: true});
}"""


@dataclass
class Change:
    """Milliseconds from a key press to the first changed text and to the first new picture, or None."""

    text: float | None
    picture: float | None


@dataclass
class Notebook:
    """One notebook, open in JupyterLab."""

    page: Page
    server: Server
    path: str
    console: list[str] = field(default_factory=list)  # error lines of the page, JupyterLab's own left out
    outside: list[str] = field(default_factory=list)  # addresses it asked for that are not on this machine

    def __post_init__(self) -> None:
        self._listeners = {
            "console": lambda message: self._heard(message.text) if message.type == "error" else None,
            "pageerror": lambda error: self._heard(str(error)),
            "request": lambda request: self._asked(request.url),
        }
        for event, listener in self._listeners.items():
            self.page.on(event, listener)

    @classmethod
    def open(
        cls,
        context: BrowserContext,
        server: Server,
        path: str | Path,
        width=1280,
        height=1000,
        page: Page | None = None,
    ) -> "Notebook":
        """Opens it at `width` pixels and waits until its kernel is idle.

        In a new page, or in the `page` that an earlier notebook left: JupyterLab runs there already, which
        takes most of the time.
        """
        notebook = cls(page or context.new_page(), server, Path(path).as_posix())
        notebook.page.set_viewport_size({"width": width, "height": height})
        notebook.reopen() if page else notebook.load()
        return notebook

    def _heard(self, text: str) -> None:
        if not any(known in text for known in NOT_OURS):
            self.console.append(text)

    def _asked(self, url: str) -> None:
        if not url.startswith((self.server.url, "data:", "blob:")):
            self.outside.append(url)

    def load(self) -> None:
        """Loads the page anew, in an empty workspace; the kernel, if there is one, is kept."""
        self.page.goto(f"{self.server.url}/lab/tree/{quote(self.path)}?token={TOKEN}&reset", timeout=STARTING)
        self._ready()

    def reopen(self) -> None:
        """Opens the file in the running JupyterLab, as a double click in its list of files does."""
        self.command("docmanager:open", path=self.path, factory="Notebook")
        self._ready()

    def _ready(self) -> None:
        self.page.wait_for_function(_READY, arg=self.path, timeout=STARTING)
        self.page.evaluate(_TRACK)

    def leave(self) -> Page:
        """Closes the notebook, unsaved, and its kernel; the page, in which another may be opened."""
        for event, listener in self._listeners.items():
            self.page.remove_listener(event, listener)
        self.page.evaluate(f"() => {_PANEL}.dispose()")
        self.server.stop_kernels()
        return self.page

    def close(self) -> None:
        """Closes the page, and ends every kernel."""
        self.page.close()
        self.server.stop_kernels()

    def command(self, name: str, wait: float = RUNNING, **arguments: object) -> None:
        """Carries out a command of JupyterLab's, as its menus do; waits for its end, at most `wait` ms."""
        self.page.evaluate(_COMMAND, [name, arguments, wait])

    def run_all(self, wait: float = RUNNING) -> None:
        """Run > Run All Cells, and waits until every widget stands."""
        self.command("notebook:run-all-cells", wait)
        self.settle()

    def restart_and_run_all(self) -> None:
        """Kernel > Restart Kernel and Run All Cells, its question answered with yes."""
        self.page.evaluate(
            "() => { window.rankeduDone = false;"
            " window.jupyterapp.commands.execute('notebook:restart-run-all')"
            ".then(() => { window.rankeduDone = true; }); }"
        )
        self.page.locator(".jp-Dialog button.jp-mod-accept").click()
        self.page.wait_for_function("window.rankeduDone", timeout=RUNNING)
        self.settle()

    def edit(self, index: int, source: str) -> None:
        """Replaces the source of a cell, as someone who selects all of it and pastes."""
        self.cell(index).locator(".cm-content").click()
        self.page.keyboard.press("Control+A")
        self.page.keyboard.insert_text(source)

    def run_cell(self, index: int) -> str:
        """Runs one cell; the text of its output."""
        self.page.evaluate(f"index => {{ {_PANEL}.content.activeCellIndex = index; }}", index)
        self.command("notebook:run-cell")
        self.settle()
        return "\n".join(self.cell(index).locator(OUTPUT).all_inner_texts()).strip()

    def find(self, source: str) -> int:
        """The index of the first cell whose source contains `source`."""
        found = self.page.evaluate(_FIND, source)
        if found < 0:
            raise AssertionError(f"{self.path}: no cell contains {source!r}")
        return found

    def save(self) -> None:
        self.command("docmanager:save")

    def settle(self) -> None:
        """Waits until no widget is loading and nothing has changed for a moment."""
        self.page.evaluate(_SETTLED, RUNNING)

    def errors(self) -> list[str]:
        """Tracebacks, but for those of cells tagged `raises-exception`."""
        return self.page.evaluate(_ERRORS)

    def stderr(self) -> list[str]:
        return self.page.evaluate(_STDERR)

    def not_run(self) -> list[int]:
        """Code cells with a source and no execution count."""
        return self.page.evaluate(_NOT_RUN)

    def too_wide(self) -> list[str]:
        """Outputs and texts that are cut off, or need a scroll bar, at this width."""
        return self.page.evaluate(_TOO_WIDE)

    def long_lines(self) -> list[str]:
        """Code that needs a horizontal scroll bar at this width."""
        return self.page.evaluate(_LONG_LINES)

    def faults(self) -> dict[str, list]:
        """Everything that is wrong with the notebook as it stands, by kind; empty when all is well."""
        found = {
            "errors": self.errors(),
            "stderr": self.stderr(),
            "console": self.console,
            "outside": self.outside,
            "too_wide": self.too_wide(),
        }
        return {kind: what for kind, what in found.items() if what}

    def cell(self, index: int) -> Locator:
        return self.page.locator(".jp-NotebookPanel .jp-Cell").nth(index)

    def outputs(self) -> Locator:
        return self.page.locator(OUTPUT)

    def sliders(self) -> Locator:
        """The handles of every slider, to be focused, dragged, and asked for `aria-valuetext`."""
        return self.page.locator(SLIDER)

    def press(self, control: Locator, key: str, wait: float = 2000) -> Change:
        """Presses `key` in `control`: when its text and its picture changed. Waits at most `wait` ms."""
        control.evaluate(_WATCH)
        control.focus()
        self.page.keyboard.press(key)
        pictures = control.evaluate(
            "e => e.closest('.jp-OutputArea-output').querySelectorAll('img').length > 0"
        )
        wanted = "t => t.text && t.picture" if pictures else "t => t.text"
        with contextlib.suppress(Exception):
            self.page.wait_for_function(f"() => ({wanted})(window.rankeduTimes)", timeout=wait)
        times = self.page.evaluate("window.rankeduTimes")
        return Change(
            *(times[what] - times["key"] if what in times else None for what in ("text", "picture"))
        )

    def move_first_slider(self, wait: float = 2000) -> Change:
        """Moves it by one key press, to the right if it can."""
        slider = self.sliders().first
        slider.scroll_into_view_if_needed()
        at_end = slider.get_attribute("aria-valuenow") == slider.get_attribute("aria-valuemax")
        change = self.press(slider, "ArrowLeft" if at_end else "ArrowRight", wait)
        self.settle()
        return change

    def drag(self, handle: Locator, to: float) -> None:
        """Drags a slider's handle by mouse to the fraction `to` of its track."""
        handle.scroll_into_view_if_needed()
        box = handle.bounding_box()
        track = handle.locator("xpath=ancestor::div[contains(@class, 'noUi-target')]").bounding_box()
        y = box["y"] + box["height"] / 2
        self.page.mouse.move(box["x"] + box["width"] / 2, y)
        self.page.mouse.down()
        self.page.mouse.move(track["x"] + track["width"] * to, y, steps=8)
        self.page.mouse.up()

    def _resize(self, width: int, height: int) -> None:
        """Gives the window another size, and waits until the notebook fills it."""
        self.page.set_viewport_size({"width": width, "height": height})
        filled = f"height => Math.abs({_SCROLLER}.getBoundingClientRect().bottom + 25 - height) < 25"
        self.page.wait_for_function(filled, arg=height)
        self.settle()

    def screenshot(self, target: Path, piece: int | None = None) -> list[Path]:
        """The files, `target` or numbered beside it, that show the notebook, each `piece` pixels high."""
        panel = self.page.locator(".jp-NotebookPanel")
        view = self.page.viewport_size
        above = view["height"] - self.page.evaluate(f"{_SCROLLER}.clientHeight")
        for _ in range(2):  # a second time, since what grows with the window makes the notebook taller
            self._resize(view["width"], min(self.page.evaluate(f"{_SCROLLER}.scrollHeight") + above, 16_000))
        self.page.evaluate(f"document.activeElement?.blur(); {_SCROLLER}.scrollTop = 0")
        target.parent.mkdir(parents=True, exist_ok=True)
        box = panel.bounding_box()
        last = panel.locator(".jp-Cell").last.bounding_box()  # below it there is but room to scroll
        box["height"] = min(box["height"], last["y"] + last["height"] + 20 - box["y"])
        written = []
        piece = piece or int(box["height"])
        for number, top in enumerate(range(0, int(box["height"]), piece), 1):
            name = target if piece >= box["height"] else target.with_stem(f"{target.stem}-{number:02d}")
            clip = {"x": box["x"], "y": box["y"] + top, "width": box["width"]}
            self.page.screenshot(path=name, clip={**clip, "height": min(piece, box["height"] - top)})
            written.append(name)
        self._resize(**view)
        return written
