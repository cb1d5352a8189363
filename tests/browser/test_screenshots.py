"""tools/screenshots.py, as an author calls it: pictures of a sketch, and what is wrong with it."""

import subprocess
import sys

from tests.browser import harness

SKETCH = """\
import ipywidgets as w
slider, text = w.IntSlider(min=1, max=3, tooltip="rank"), w.HTML("1")
slider.observe(lambda change: setattr(text, "value", str(slider.value)), "value")
w.VBox([slider, text])
# %%
print("a second cell")
"""


def screenshots(*options):
    command = [sys.executable, "tools/screenshots.py", *map(str, options)]
    return subprocess.run(command, cwd=harness.ROOT, capture_output=True, text=True, timeout=300)


def test_a_sketch_light_and_dark(browser, tmp_path):
    (tmp_path / "sketch.py").write_text(SKETCH)
    done = screenshots("--code", tmp_path / "sketch.py", "--out", tmp_path, "--presses", 3)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("key press to text") == 2
    light, dark = (tmp_path / f"notebooks-sketch{theme}.png" for theme in ("", "-dark"))
    assert light.read_bytes()[:4] == dark.read_bytes()[:4] == b"\x89PNG"
    assert light.read_bytes() != dark.read_bytes()


def test_what_is_wrong_is_said_and_counted(browser, tmp_path):
    done = screenshots(
        "--code", f"x = '{'x' * 90}'\n# %%\n1 / 0", "--light", "--width", 1000, "--out", tmp_path
    )
    assert done.returncode == 1
    assert "FAULT errors: cell 1: ZeroDivisionError" in done.stdout
    assert "FAULT cell 0: code needs" in done.stdout


def test_nothing_to_show():
    done = screenshots("--only", "no such notebook")
    assert done.returncode == 2
    assert "no such notebook" in done.stderr
