"""The pytest plugin that runs Triton's tests with launches by tilec: fixtures, the choice of tests, and
worker processes that may crash or hang without ending the run."""
import hashlib
import json
import os
import pickle
import random
import re
import select
import signal
import struct
import sys
import tempfile
import time
from collections import Counter

import pytest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import deselect  # noqa: E402

state = None


def pytest_addoption(parser):
    group = parser.getgroup("tilec")
    group.addoption("--tilec", default="sim", help="sim, ref, cuda, or triton: its own launches")
    group.addoption("--capability", type=int, default=90, help="what sim and ref pass for")
    group.addoption("--per-test", type=int, default=40, help="parameter sets a test function, 0: all")
    group.addoption("--sample-seed", type=int, default=0)
    group.addoption("--limit-s", type=float, default=60, help="seconds a test")
    group.addoption("--total-s", type=float, default=0, help="seconds in all; what is left is not run")
    group.addoption("--json-out")
    group.addoption("--shard", default="0/1", help="I/N: of the tests, each N-th from the I-th on")
    group.addoption("--keep", default=None, help="folder for the kernels' files")
    group.addoption("--only-param", default=None, help="only tests whose id contains this")


def pytest_configure(config):
    global state
    config.addinivalue_line("markers", "interpreter: Triton's own mark")
    state = State(config)


class State:
    def __init__(self, config):
        self.device = config.getoption("--tilec")
        self.messages = []  # errors of tilec that the test expected
        self.engine = None
        self.deselected = Counter()
        if self.device == "triton":
            return
        import host
        is_host = self.device in ("sim", "ref")
        capability = config.getoption("--capability") if is_host else host.capability_of_gpu()
        host.prepare(capability, is_host)
        import launch
        import triton
        import triton._filecheck
        self.scope = launch.OutOfScope
        self.rejected = launch.Rejected
        self.engine = engine = launch.Engine(self.device, capability, config.getoption("--keep"))
        triton.runtime.jit.JITFunction.run = lambda jit, *args, **kw: engine.run(jit, *args, **kw)
        triton.compile = triton.compiler.compile = engine.compile_source
        triton._filecheck.run_filecheck_test = engine.compile_alone
        triton._filecheck.run_parser = engine.compile_alone
        pytest.raises = self.raises(pytest.raises)

    def raises(self, original):
        """pytest.raises, whose `match` is about Triton's wording and not held against tilec's."""
        state = self

        class Raises:
            def __init__(self, kind, match):
                self.context, self.match = original(kind), match

            def __enter__(self):
                self.info = self.context.__enter__()
                return self.info

            def __exit__(self, kind, value, trace):
                if not self.context.__exit__(kind, value, trace):
                    return False
                if isinstance(value, state.rejected):
                    state.messages.append(str(value).split("\n", 1)[0])
                elif self.match is not None:
                    assert re.search(self.match, str(value)), f"{self.match!r} is not in {str(value)!r}"
                return True

        def raises(kind, *args, match=None, **kwargs):
            if args or kwargs:
                return original(kind, *args, match=match, **kwargs)
            return Raises(kind, match)

        return raises


# --- Fixtures of Triton's conftest -------------------------------------------------------------------

@pytest.fixture
def device():
    return "cuda"


@pytest.fixture
def fresh_triton_cache():
    with tempfile.TemporaryDirectory() as folder:
        from triton import knobs
        with knobs.cache.scope(), knobs.runtime.scope():
            knobs.cache.dir = folder
            yield folder


def knobs_fixture(**options):
    from triton._internal_testing import _fresh_knobs_impl
    fresh, reset = _fresh_knobs_impl(**options)
    try:
        yield fresh()
    finally:
        reset()


@pytest.fixture
def fresh_knobs():
    yield from knobs_fixture()


@pytest.fixture
def fresh_knobs_except_libraries():
    yield from knobs_fixture(skipped_attr={"build", "nvidia", "amd"})


@pytest.fixture
def with_allocator():
    import triton
    from triton._internal_testing import default_alloc_fn
    from triton.runtime._allocation import NullAllocator
    triton.set_allocator(default_alloc_fn)
    try:
        yield
    finally:
        triton.set_allocator(NullAllocator())


# --- The choice of tests -----------------------------------------------------------------------------

def function_of(item):
    return f"{item.path.name}::{getattr(item, 'originalname', item.name)}"


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    limit, seed = config.getoption("--per-test"), config.getoption("--sample-seed")
    only = config.getoption("--only-param")
    groups = {}
    for item in items:
        if only and only not in item.name:
            continue
        reason = deselect.reason(function_of(item), item.name, state.device)
        if reason:
            state.deselected[function_of(item), reason] += 1
        else:
            groups.setdefault(function_of(item), []).append(item)
    kept = set()
    for name, group in groups.items():
        if limit and len(group) > limit:
            digest = hashlib.sha256(f"{name} {seed}".encode()).digest()
            group = random.Random(digest).sample(group, limit)
        kept.update(id(item) for item in group)
    part, parts = map(int, config.getoption("--shard").split("/"))
    items[:] = [item for item in items if id(item) in kept][part::parts]


# --- Workers -----------------------------------------------------------------------------------------

def send(pipe, value):
    data = pickle.dumps(value)
    os.write(pipe, struct.pack("<I", len(data)))
    while data:
        data = data[os.write(pipe, data):]


class Reader:
    def __init__(self, pipe):
        self.pipe, self.data = pipe, b""

    def next(self, seconds):
        """The next value; None when time is up; raises EOFError when the worker has ended."""
        end = time.monotonic() + seconds
        while True:
            if len(self.data) >= 4:
                size = struct.unpack("<I", self.data[:4])[0]
                if len(self.data) >= 4 + size:
                    value = pickle.loads(self.data[4:4 + size])
                    self.data = self.data[4 + size:]
                    return value
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.pipe], [], [], left)[0]:
                return None
            more = os.read(self.pipe, 1 << 16)
            if not more:
                raise EOFError
            self.data += more


def gpu_is_broken():
    if state.device not in ("cuda", "triton"):
        return False
    import torch
    try:
        torch.cuda.synchronize()
        return False
    except Exception:  # The context is lost for good.
        return True


def work(session, items, start, pipe):
    """In a worker: runs tests and sends (index, reports, messages, the last kernel)."""
    from _pytest.runner import runtestprotocol
    for index in range(start, len(items)):
        item = items[index]
        state.messages.clear()
        if state.engine:
            state.engine.begin()
        following = items[index + 1] if index + 1 < len(items) else None
        reports = runtestprotocol(item, nextitem=following, log=False)
        data = [session.config.hook.pytest_report_to_serializable(config=session.config, report=report)
                for report in reports]
        failed = any(report.failed for report in reports)
        engine = state.engine
        notes = {"rejected": list(state.messages), "looked at code": bool(engine and engine.looked),
                 "launches": engine.launches if engine else 0}
        send(pipe, (index, data, notes, engine.last if failed and engine else None))
        if gpu_is_broken():  # An assertion that a test expects does it too.
            break
    os._exit(0)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """What is out of the harness's scope is skipped."""
    if call.excinfo and state.engine and call.excinfo.errisinstance(state.scope):
        try:
            pytest.skip(f"harness: {call.excinfo.value}")
        except BaseException:
            call.excinfo = pytest.ExceptionInfo.from_current()
    yield


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session):
    config, items = session.config, session.items
    if config.option.collectonly:
        return None
    results, start = Results(config.getoption("--json-out")), 0
    began, total = time.monotonic(), config.getoption("--total-s")
    while start < len(items) and not (total and time.monotonic() - began > total):
        start = run_worker(session, items, start, results, began)
    write_results(config, results, items[len(results):])
    return True


def run_worker(session, items, start, results, began):
    """Runs tests from `start` in one process. Returns where the next one begins."""
    config = session.config
    limit, total = config.getoption("--limit-s"), config.getoption("--total-s")
    ours, theirs = os.pipe()
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        os.close(ours)
        try:
            work(session, items, start, theirs)
        finally:
            os._exit(1)
    os.close(theirs)
    reader, index = Reader(ours), start
    try:
        while index < len(items) and not (total and time.monotonic() - began > total):
            before = time.monotonic()
            # A worker's first test pays for starting up.
            message = reader.next(limit + (30 if index == start else 0))
            if message is None:
                results.append(lost(items[index], f"ran longer than {limit:g} s", limit))
                return index + 1
            _, data, notes, kernel = message
            reports = [config.hook.pytest_report_from_serializable(config=config, data=one)
                       for one in data]
            results.append(outcome(items[index], reports, notes, kernel,
                                   time.monotonic() - before))
            for report in reports:
                if report.failed and results[-1]["outcome"] != "failed":
                    report.outcome = "passed"
                config.hook.pytest_runtest_logreport(report=report)
            index += 1
    except EOFError:
        status = os.waitpid(child, 0)[1]
        child = None
        if os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0:
            return index  # The GPU was broken by the last test; it has reported.
        how = f"signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else "an exit"
        results.append(lost(items[index], f"the process ended by {how}", 0))
        return index + 1
    finally:
        os.close(ours)
        if child:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
    return index


def lost(item, text, seconds):
    print("L", end="", flush=True)
    return {"test": function_of(item), "id": item.name, "outcome": "failed", "text": text,
            "seconds": round(seconds, 2)}


def outcome(item, reports, notes, kernel, seconds):
    """`passed` and `failed` as the test has it, but for these: a test that gets as far as looking at
    code after its launches is `passed to code`, and one that finds an error of tilec where it
    expects one, but not Triton's words, is `other words`."""
    result = {"test": function_of(item), "id": item.name, "outcome": "passed",
              "seconds": round(seconds, 3)}
    for report in reports:
        if report.failed:
            crash = getattr(report.longrepr, "reprcrash", None)
            text = crash.message if crash else report.longreprtext
            result.update(outcome="failed", text=text, trace=report.longreprtext[-3000:], kernel=kernel)
            if text.startswith("assert") or text.startswith("AssertionError"):
                if notes["looked at code"]:
                    result["outcome"] = "passed to code"
                elif notes["rejected"]:
                    result["outcome"] = "other words"
        elif report.skipped and result["outcome"] == "passed":
            known = hasattr(report, "wasxfail")
            reason = report.wasxfail if known else report.longrepr[2].removeprefix("Skipped: ")
            code = reason == "harness: looks at code" and notes["launches"]
            result.update(outcome="passed to code" if code else "skipped", text=reason)
    if notes["rejected"]:
        result["rejected_with"] = notes["rejected"]
    return result


# --- Results -----------------------------------------------------------------------------------------

class Results(list):
    """Results, which are also written to a file line by line as they come."""

    def __init__(self, path):
        super().__init__()
        self.out = open(f"{path}l", "w")

    def append(self, result):
        super().append(result)
        print(json.dumps(result), file=self.out, flush=True)


def write_results(config, results, left):
    tests = {}
    for result in results:
        tests.setdefault(result["test"], Counter())[result["outcome"]] += 1
    for item in left:
        tests.setdefault(function_of(item), Counter())["not run"] += 1
    if config.getoption("--shard").startswith("0/"):  # Every part leaves out the same.
        for (name, _), count in state.deselected.items():
            tests.setdefault(name, Counter())["deselected"] += count
    with open(config.getoption("--json-out"), "w") as out:
        json.dump({"device": state.device, "tests": tests,
                   "deselected": {name: reason for name, reason in state.deselected},
                   "results": results}, out)
