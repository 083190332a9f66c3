"""What docs/server.md shows is what happens."""

import re
from pathlib import Path

import httpx

DOCUMENT = (Path(__file__).parents[2] / "docs" / "server.md").read_text()


def test_the_commands_are_answered(server):
    bodies = re.findall(r"curl http://127.0.0.1:8000(/\w+) -d '(.*)'", DOCUMENT)
    assert len(bodies) == 5
    for path, body in bodies:
        response = httpx.post(server.url + path, content=body, timeout=60, trust_env=False)
        assert response.status_code == 200, response.text


def test_the_program_runs(server, capsys):
    [program] = re.findall(r"```python\n(.*?)```", DOCUMENT, re.DOTALL)
    exec(program.replace("http://127.0.0.1:8000", server.url))
    assert re.match(r"-\d+\.\d+ \[", capsys.readouterr().out)
