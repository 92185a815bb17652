"""The kernels run as plain Python and compute the same as compiled."""

import json
import os
import subprocess
import sys
from pathlib import Path
from types import FunctionType

import pytest
from twins import twin_report

PROGRAM = """
import json, types
import numba
assert numba.config.DISABLE_JIT
from twins import twin_report
plain = [n for m in twin_report.kernel_modules() if m not in twin_report.INSTRUCTIONS
         for n, f in vars(m).items()
         if isinstance(f, types.FunctionType) and f.__module__ == m.__name__]
print(json.dumps([sorted(plain), twin_report.plain_bits(), twin_report.report()]))
"""


@pytest.fixture(scope="module")
def interpreted():
    """What a run without the compiler says."""
    path = os.pathsep.join([str(Path(__file__).parents[1]), *filter(None, sys.path)])
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": path}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", PROGRAM],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def compiled():
    """What the compiled kernels say."""
    return json.loads(json.dumps(twin_report.report()))


def test_every_kernel_ran_as_plain_python(interpreted):
    own = [
        (name, value)
        for module in twin_report.kernel_modules()
        if module not in twin_report.INSTRUCTIONS
        for name, value in vars(module).items()
        if getattr(getattr(value, "py_func", value), "__module__", "") == module.__name__
    ]
    kernels = [name for name, value in own if hasattr(value, "py_func")]
    never_compiled = [name for name, value in own if isinstance(value, FunctionType)]
    assert interpreted[0] == sorted(kernels + never_compiled)
    assert len(kernels) >= 100


def test_the_twins_of_machine_instructions(interpreted):
    words = twin_report.WORDS
    expected = [[w.bit_count(), (w & -w).bit_length() - 1] for w in words]
    assert interpreted[1] == expected


@pytest.mark.parametrize("number", range(len(twin_report.GAMES)))
def test_layouts_tables_and_positions_agree(interpreted, compiled, number):
    plain, fast = interpreted[2]["games"][number], compiled["games"][number]
    assert plain.keys() == fast.keys()
    for part in fast:
        assert plain[part] == fast[part], part
    assert fast["count"] == len(fast["masks"]) > 2
    assert len(fast["fitting"]) > 5


def test_verifications_agree(interpreted, compiled):
    assert interpreted[2]["trees"] == compiled["trees"]
    for good, twice, renamed in compiled["trees"]:
        assert good[0]
        assert not twice[0]
        assert not renamed[0]


@pytest.mark.parametrize("number", range(len(twin_report.SEARCHED)))
def test_searches_agree(interpreted, compiled, number):
    plain, fast = interpreted[2]["searches"][number], compiled["searches"][number]
    assert plain.keys() == fast.keys()
    for part in fast:
        assert plain[part] == fast[part], part
    assert fast["values"]


def test_strategy_files_agree(interpreted, compiled):
    assert interpreted[2]["strategies"] == compiled["strategies"]
    for strategy in compiled["strategies"]:
        assert strategy["checks"] == [[True, []], [True, []]]
        assert strategy["keys"][0]


def test_bits_agree(interpreted, compiled):
    assert compiled["bits"] == [w.bit_count() for w in twin_report.WORDS]
    assert interpreted[2]["bits"] == compiled["bits"]
