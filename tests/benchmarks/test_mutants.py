"""Mutants are made of code that runs, and are tried in a copy of the repository."""

import ast

SOURCE = '''"""A docstring."""

__all__ = ["f"]


@decorated(7)
def f(ä: int, size: int = 3) -> "bool":
    """Another."""
    if not ä:
        raise ValueError(f"{size + 1} is wrong", "here")
    g(ä, dim=1, keepdim=True)
    return ä and h(size) < 5
'''
CHANGES = [
    "size: int = 4",
    "if (not (not ä)):",
    "if (ä):",
    "pass",
    "pass",
    "g(ä,  keepdim=True)",
    "g(ä, dim=1, )",
    "g(ä, dim=2, keepdim=True)",
    "g(ä, dim=1, keepdim=False)",
    "return None",
    "return (ä or h(size) < 5)",
    "return ä and (h(size) <= 5)",
    "return ä and (size) < 5",
    "return ä and h(size) < 6",
]


def test_one_thing_is_changed_and_never_a_message_or_a_type(programs):
    from mutants import mutants

    made = list(mutants("m.py", SOURCE))
    before = SOURCE.splitlines()
    for mutant, change in zip(made, CHANGES, strict=True):
        after = mutant.apply(SOURCE)
        ast.parse(after)
        [line] = [new for old, new in zip(before, after.splitlines(), strict=True) if old != new]
        assert change in line
        assert f"+{line}" in mutant.diff(SOURCE).splitlines()
        assert before[mutant.line - 1] in SOURCE


def test_most_mistakes_are_noticed_and_the_repository_stays_as_it_is(benchmark, fixtures):
    module = fixtures.parent / "sdp_pointer" / "batches.py"
    before = module.read_text()
    table, counts = benchmark("mutants.py", "--modules", "batches", "--number", 3, "--nearest")
    assert module.read_text() == before
    assert counts["killed"] >= 2
    assert counts["killed"] + counts["timeout"] + counts["survived"] == 3
    assert f"| sdp_pointer/batches.py | {counts['killed']} |" in table


def test_modules_that_are_not_there_are_refused(run):
    result = run("mutants.py", "--modules", "nowhere")
    assert result.returncode == 1
    assert "no module of sdp_pointer begins with nowhere" in result.stderr
    assert "Traceback" not in result.stderr
