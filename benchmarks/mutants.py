"""Do the tests notice a mistake? Makes many small ones, one at a time, and runs the tests on each.

A mutant is the package with one operator, constant, argument, condition or statement changed, in a
copy of the repository. Its nearest tests run first, and the rest of the suite if they pass. A
mutant that survives both shows what no test looks at, unless it behaves as before.

(mutmut 3 mutates neither functions with a decorator nor defaults of arguments and constants of
modules, and a registered AllenNLP model is hardly anything else.)
"""

import argparse
import ast
import copy
import difflib
import importlib
import json
import multiprocessing
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple, Optional

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = "sdp_pointer"

# Tests of a module or folder beside those of the same name.
NEAREST = {
    "allennlp_compat": ["tests/allennlp"],
    "archives": ["tests/allennlp/test_archives.py", "tests/transformer/test_archives.py"],
    "commands": ["tests/test_parser_commands.py"],
    "models": ["tests/test_configuration_docs.py"],
    "nn": ["tests/models", "tests/test_configuration_docs.py"],
    "training": ["tests/allennlp/test_training.py"],
}
# What takes long and looks at the outside of the package only.
FAR = ["tests/benchmarks", "tests/server/page", "tests/test_install.py"]

# What most tests import, and what takes seconds: the processes of tests are forked from one that
# has it.
PRELOADED = (
    "torch",
    "pytest",
    "hypothesis",
    "spacy",
    "transformers.models.auto",
    "transformers.models.bert",
    "allennlp.commands",
    "allennlp.common.testing",
    "allennlp.models.archival",
)

COMPARISONS = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
OPERATORS = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.Mod: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.Pow: ast.Mult, ast.LShift: ast.RShift, ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip


class Mutant(NamedTuple):
    """A module, and the bytes of it that are replaced."""

    module: str
    line: int
    start: int
    end: int
    text: str

    def apply(self, source: str) -> str:
        data = source.encode()
        return (data[: self.start] + self.text.encode() + data[self.end :]).decode()

    def diff(self, source: str) -> str:
        lines = source.splitlines(), self.apply(source).splitlines()
        return "\n".join(list(difflib.unified_diff(*lines, lineterm="", n=1))[2:])


def mutants(module: str, source: str) -> Iterator[Mutant]:
    """All mutants of a module.

    >>> [mutant.text for mutant in mutants("m.py", "def f(x, y=1):\\n    return x < y")]
    ['2', 'None', '(x <= y)']
    """
    data = source.encode()
    first = [0, *accumulate(len(line) for line in data.splitlines(keepends=True))]
    for node in _code(ast.parse(source)):
        for part, text in _changes(node):
            start = first[part.lineno - 1] + part.col_offset
            end = first[part.end_lineno - 1] + part.end_col_offset
            if not text:  # an argument goes with its comma
                end += len(re.match(rb"\s*,?", data[end:])[0])
            yield Mutant(module, part.lineno, start, end, text)


def _code(node: ast.AST) -> Iterator[ast.AST]:
    """What changes behaviour: neither types nor decorators, docstrings, messages and asserts."""
    parts = list(ast.iter_child_nodes(node))
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            parts = [*node.args.defaults, *filter(None, node.args.kw_defaults), *node.body]
        case ast.ClassDef():
            parts = node.body
        case ast.AnnAssign():
            parts = [node.value] if node.value else []
        case ast.Raise():
            parts = []
        case (
            ast.Assert()
            | ast.JoinedStr()
            | ast.Expr(value=ast.Constant())
            | ast.If(test=ast.Name(id="TYPE_CHECKING"))
            | ast.Assign(targets=[ast.Name(id="__all__")])
            | ast.Call(func=ast.Name(id="print") | ast.Attribute(value=ast.Name(id="logger")))
            | ast.keyword(arg="help" | "description" | "epilog" | "metavar")
        ):
            return
    yield node
    for part in parts:
        yield from _code(part)


def _changes(node: ast.AST) -> Iterator[tuple[Any, str]]:
    """Parts of a node, and what they are replaced by."""
    match node:
        case ast.Compare():
            for number, operator in enumerate(node.ops):
                ops = [*node.ops]
                ops[number] = COMPARISONS[type(operator)]()
                yield node, _with(node, ops=ops)
        case ast.BinOp() | ast.BoolOp() if type(node.op) in OPERATORS:
            yield node, _with(node, op=OPERATORS[type(node.op)]())
        case ast.AugAssign() if type(node.op) in OPERATORS:
            yield node, _with(node, op=OPERATORS[type(node.op)]())[1:-1]
        case ast.UnaryOp(op=ast.Not() | ast.Invert()):
            yield node, f"({ast.unparse(node.operand)})"
        case ast.IfExp():
            yield node, _with(node, body=node.orelse, orelse=node.body)
        case ast.If():
            yield node.test, f"(not ({ast.unparse(node.test)}))"
        case ast.Constant(value=bool(value)):
            yield node, str(not value)
        case ast.Constant(value=int(value)):
            yield node, str(value + 1)
        case ast.Constant(value=float(value)):
            yield node, str(2 * value or 1.0)
        case ast.Constant(value=str(value)) if " " not in value:  # others are prose
            yield node, repr(f"XX{value}")
        case ast.Call(args=[argument], keywords=[]) if not isinstance(argument, ast.Starred):
            yield node, f"({ast.unparse(argument)})"
        case ast.Call():
            yield from ((keyword, "") for keyword in node.keywords if keyword.arg)
        case ast.Return(value=ast.expr() as value) if ast.unparse(value) != "None":
            yield value, "None"
        case ast.Break():
            yield node, "continue"
        case ast.Continue():
            yield node, "break"
        case ast.Raise() | ast.Expr(value=ast.Call()):
            yield node, "pass"
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield node, "pass"


def _with(node: ast.AST, **fields: Any) -> str:
    changed = copy.copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return f"({ast.unparse(changed)})"


def sample(modules: list[str], number: int, seed: int) -> list[Mutant]:
    """Some of the mutants of the modules, by any beginning of their paths, in random order."""
    beginnings = tuple(f"{PACKAGE}/{name}" for name in modules)
    paths = sorted(str(path) for path in Path(PACKAGE).rglob("*.py"))
    chosen = [path for path in paths if path.startswith(beginnings)]
    found = [mutant for path in chosen for mutant in mutants(path, Path(path).read_text("utf-8"))]
    if not found:
        sys.exit(f"no module of {PACKAGE} begins with {' or '.join(modules)}")
    return random.Random(seed).sample(found, min(number, len(found)))


def nearest(module: str) -> list[str]:
    """The doctests of a module, its test file, and the folders of tests that it belongs to.

    >>> nearest("sdp_pointer/graphs/formats/mrp.py")[1:]
    ['tests/graphs/formats/test_mrp.py', 'tests/graphs/formats', 'tests/graphs']
    """
    tests = [module]
    parts = Path(module).with_suffix("").parts[1:]
    for depth in range(len(parts), 0, -1):
        path = Path("tests", *parts[:depth])
        mirrored = (path.with_name(f"test_{path.name}.py"), path)
        tests += [str(path) for path in mirrored if path.exists()]
        tests += NEAREST.get("/".join(parts[:depth]), [])
    return tests


def rest(module: str) -> list[str]:
    """The test files that are neither near nor far."""
    apart = (*nearest(module), *FAR)
    files = sorted(str(path) for path in Path("tests").rglob("test_*.py"))
    return [path for path in files if not path.startswith(apart)]


def _tests(paths: list[str], seed: int, log: str) -> None:
    """Ends this process with pytest's exit status."""
    os.setsid()  # so that it ends together with the processes of its tests
    with open(log, "wb") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    import hypothesis
    import pytest

    # Neither a busy machine nor a slow mutant is a failed test; nobody reads a small example.
    phases = set(hypothesis.Phase) - {hypothesis.Phase.shrink, hypothesis.Phase.explain}
    checks = list(hypothesis.HealthCheck)
    hypothesis.settings.register_profile(
        "mutants", deadline=None, database=None, phases=phases, suppress_health_check=checks
    )
    hypothesis.settings.load_profile("mutants")
    # The nearest tests come first, in no random order.
    plugins = ["-p", "no:cacheprovider", "-p", "no:randomly"]
    options = ["-x", "-q", *plugins, f"--hypothesis-seed={seed}"]
    status = pytest.main([*options, *paths])
    sys.stdout.flush()
    os._exit(0 if status == pytest.ExitCode.NO_TESTS_COLLECTED else status)


class Worker:
    """Runs tests on mutants in the current folder, a copy of the repository."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.seconds: dict[frozenset[str], float] = {}
        for name in PRELOADED:
            importlib.import_module(name)

    def outcome(self, mutant: Mutant, only_nearest: bool) -> str:
        path = Path(mutant.module)
        source = path.read_text("utf-8")
        for tests in (nearest(mutant.module), [] if only_nearest else rest(mutant.module)):
            limit = 60 + 5 * self.unchanged(tests)
            path.write_text(mutant.apply(source), "utf-8")
            try:
                status = self.run(tests, mutant.module, limit) if tests else 0
            finally:
                path.write_text(source, "utf-8")
            if status != 0:
                return "timeout" if status is None else "killed"
        return "survived"

    def unchanged(self, tests: list[str]) -> float:
        """How long the tests take without a mutant, with which they must pass."""
        # What is in a folder of tests is named for its place in the order only.
        folders = tuple(f"{path}/" for path in tests)
        key = frozenset(path for path in tests if not path.startswith((*folders, PACKAGE)))
        if key and key not in self.seconds:
            start = time.monotonic()
            if self.run(sorted(key), None, 3600) != 0:
                log = Path("mutant.log").read_text("utf-8")
                sys.exit(f"the tests fail without any mutant:\n{log}")
            self.seconds[key] = time.monotonic() - start
        return self.seconds.get(key, 0.0)

    def run(self, tests: list[str], module: Optional[str], limit: float) -> Optional[int]:
        """The exit status of pytest, or None if the time was over."""
        # AllenNLP was patched while it was loaded: those modules need a new process.
        loaded = module and module.removesuffix(".py").replace("/", ".") in sys.modules
        context: Any = multiprocessing.get_context("spawn" if loaded else "fork")
        process = context.Process(target=_tests, args=(tests, self.seed, "mutant.log"))
        process.start()
        try:
            process.join(limit)
            over = process.is_alive()
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        process.join()
        return None if over else process.exitcode


def work(options: argparse.Namespace) -> None:
    """Prints a line of JSON for each mutant of one share."""
    chosen = sample(options.modules, options.number, options.seed)[options.share :: options.jobs]
    worker = Worker(options.seed)
    for mutant in chosen:
        start = time.monotonic()
        outcome = worker.outcome(mutant, options.nearest)
        seconds = round(time.monotonic() - start, 1)
        print(json.dumps([mutant, outcome, seconds]), flush=True)


def results(share: int, arguments: list[str], folder: str) -> Iterator[tuple[Mutant, str, float]]:
    """What a process that works in a copy of the repository says."""
    copied = Path(folder, f"copy{share}")
    hidden = shutil.ignore_patterns(".*", "__pycache__", "out", "demo", "build", "*.egg-info")
    shutil.copytree(ROOT, copied, ignore=hidden)
    environment = {
        **os.environ,
        "PYTHONPATH": str(copied),
        # Two mutants may have the same size and second, by which compiled files are told apart.
        "PYTHONDONTWRITEBYTECODE": "1",
        "OMP_NUM_THREADS": "1",
        "TMPDIR": folder,
    }
    command = [sys.executable, "benchmarks/mutants.py", *arguments, f"--share={share}"]
    with subprocess.Popen(
        command, cwd=copied, env=environment, stdout=subprocess.PIPE, text=True
    ) as process:
        for line in process.stdout:
            mutant, outcome, seconds = json.loads(line)
            yield Mutant(*mutant), outcome, seconds
    if process.returncode:
        sys.exit(process.returncode)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--modules", nargs="+", default=[""], help="e.g. nn models/sdp_pointer.py")
    parser.add_argument("--number", type=int, default=100, help="of mutants (default: 100)")
    parser.add_argument("--seed", type=int, default=0, help="of the sample (default: 0)")
    parser.add_argument("--jobs", type=int, default=1, help="mutants at a time (default: 1)")
    parser.add_argument("--nearest", action="store_true", help="run the nearest tests only")
    parser.add_argument("--share", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.share is not None:
        work(options)
        return
    os.chdir(ROOT)
    sources = {str(path): path.read_text("utf-8") for path in Path(PACKAGE).rglob("*.py")}
    outcomes: dict[str, Counter[str]] = {}

    def follow(share: int) -> None:
        for mutant, outcome, seconds in results(share, sys.argv[1:], folder):
            place = f"{mutant.module}:{mutant.line}"
            print(f"{outcome:9} {seconds:6} s  {place}", file=sys.stderr, flush=True)
            outcomes.setdefault(mutant.module, Counter())[outcome] += 1
            if outcome == "survived":
                print(f"{place}\n{mutant.diff(sources[mutant.module])}\n", flush=True)

    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(follow, range(options.jobs)))
    total = sum(outcomes.values(), Counter())
    names = ("killed", "timeout", "survived")
    print("| module | " + " | ".join(names) + " |\n|---|" + "---|" * len(names))
    for module, counts in [*sorted(outcomes.items()), ("all", total)]:
        print(f"| {module} | " + " | ".join(str(counts[name]) for name in names) + " |")
    print(json.dumps({"seed": options.seed, **{name: total[name] for name in names}}))


if __name__ == "__main__":
    main()
