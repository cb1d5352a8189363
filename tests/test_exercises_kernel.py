"""The same in a kernel, where learners are: it survives every submission, and can interrupt one."""

import gc
import threading
import warnings

import pytest
from jupyter_client.manager import start_new_kernel

from rankedu.exercises.verdict import SHAPES

# jupyter_client leaves its event loops and sockets to the garbage collector
pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")
SECONDS = 1.0


class Kernel:
    def __init__(self):
        self.manager, self.client = start_new_kernel(
            kernel_name="python3", extra_arguments=["--log-level=40"]
        )

    def run(self, code, timeout=30):
        shown = []
        reply = self.client.execute_interactive(
            code, timeout=timeout, output_hook=lambda message: shown.append(message["content"])
        )
        assert reply["content"]["status"] == "ok", reply["content"]
        return "\n".join(
            content.get("text") or content.get("data", {}).get("text/plain", "") for content in shown
        )


@pytest.fixture(scope="module")
def kernel():
    kernel = Kernel()
    kernel.run(
        "import math, os, sys, time\n"
        "from rankedu import exercises\n"
        "from rankedu.exercises import sandbox\n"
        f"sandbox.SECONDS_A_CALL = {SECONDS}\n"
        "ex = exercises.get('03/dcg')\n"
        "kept = 42"
    )
    yield kernel
    kernel.client.stop_channels()
    kernel.manager.shutdown_kernel(now=True)
    del kernel
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ("while True: pass", "error"),
        ("while True:\n        try: time.sleep(.01)\n        except: pass", "error"),
        ("return sum(range(10**13))", "error"),
        ("exit()", "error"),
        ("quit()", "error"),
        ("os._exit(1)", "error"),
        ("return float(input('?'))", "error"),
        ("raise KeyboardInterrupt", "error"),
        ("return dcg(grades, k)", "error"),
        ("sys.setrecursionlimit(10**8); return dcg(grades, k)", "error"),
        ("print('x' * 10**6); display(k); return 1", "incorrect"),
        ("return sum(g / math.log2(i + 2) for i, g in enumerate(grades[:k]))", "correct"),
        ("...", "not attempted"),
    ],
)
def test_the_kernel_survives(kernel, body, status):
    shown = kernel.run(f"def dcg(grades, k):\n    {body}\nex.check(dcg)")
    assert f"{SHAPES[status]} 03/dcg: {status}" in shown
    assert "xxxxx" not in shown or "printed" in shown
    assert kernel.run("kept").strip() == "42"


def test_interrupting_a_check_ends_it_and_the_submission_with_it(kernel):
    kernel.run("sandbox.SECONDS_A_CALL = 20")
    threading.Timer(1.0, kernel.manager.interrupt_kernel).start()
    shown = kernel.run(
        "def dcg(grades, k):\n    while True: pass\n"
        "try:\n    ex.check(dcg)\nexcept KeyboardInterrupt:\n    print('interrupted')\n"
        f"sandbox.SECONDS_A_CALL = {SECONDS}\n"
    )
    assert "interrupted" in shown
    assert kernel.run("kept").strip() == "42"
