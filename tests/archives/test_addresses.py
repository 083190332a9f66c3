"""Models from the hub and from a web server: both run in this process, on the loopback."""

import hashlib
import http.server
import json
import tarfile
import threading
from pathlib import Path
from urllib.parse import unquote

import huggingface_hub.constants
import pytest

import sdp_pointer
from sdp_pointer.archives import ArchiveError
from sdp_pointer.archives.addresses import FetchError, fetched
from sdp_pointer.commands import main

COMMIT = "0123456789abcdef0123456789abcdef01234567"
SENTENCE = ["The", "cat", "sleeps"]


class Server(http.server.ThreadingHTTPServer):
    """Files by path at `/files/`, and a hub with one repository, kim/cats, of the same files."""

    def __init__(self, files):
        super().__init__(("127.0.0.1", 0), Handler)
        self.files = files
        self.asked = []

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server_port}"


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        path = unquote(self.path.partition("?")[0])
        self.server.asked.append(path)
        name = path.removeprefix("/files/").removeprefix(f"/kim/cats/resolve/{COMMIT}/")
        if path in ("/api/models/kim/cats/revision/main", "/api/models/kim/cats/revision/v1"):
            self.answer(json.dumps({"id": "kim/cats", "sha": COMMIT, "siblings": []}).encode())
        elif path == f"/api/models/kim/cats/tree/{COMMIT}":
            listed = [
                {"type": "file", "path": name, "size": len(content), "oid": "0" * 40}
                for name, content in self.server.files.items()
            ]
            self.answer(json.dumps(listed).encode())
        elif name in self.server.files:
            self.answer(self.server.files[name])
        else:
            self.send_response(404)
            self.send_header("Content-Length", "0")
            self.end_headers()

    do_HEAD = do_GET

    def answer(self, content):
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("ETag", f'"{hashlib.sha1(content).hexdigest()}"')
        self.send_header("X-Repo-Commit", COMMIT)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(content)

    def log_message(self, *arguments):
        pass


@pytest.fixture
def serve(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    servers = []

    def serve(files):
        server = Server(files)
        servers.append(server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setattr(huggingface_hub.constants, "ENDPOINT", server.address)
        monkeypatch.setattr(
            huggingface_hub.constants,
            "HUGGINGFACE_CO_URL_TEMPLATE",
            server.address + "/{repo_id}/resolve/{revision}/{filename}",
        )
        monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", False)
        return server

    yield serve
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.fixture
def files(packed_model):
    """The files of a model by name, and one that is none of a model's."""
    paths = (path for path in packed_model.rglob("*") if path.is_file())
    model = {path.relative_to(packed_model).as_posix(): path.read_bytes() for path in paths}
    return {**model, "train.py": b"print('it was run')"}


@pytest.fixture
def archive(packed_model, tmp_path):
    path = tmp_path / "model.tar.gz"
    with tarfile.open(path, "w:gz") as tar:
        for part in packed_model.iterdir():
            tar.add(part, part.name)
    return path.read_bytes()


@pytest.mark.parametrize("revision", ["", "@v1"])
def test_a_repository_of_the_hub_is_a_model(serve, files, packed_model, revision):
    server = serve(files)
    parser = sdp_pointer.load(f"hf://kim/cats{revision}")
    assert parser.name == f"hf://kim/cats{revision}"
    assert parser.parse(SENTENCE) == sdp_pointer.load(str(packed_model)).parse(SENTENCE)
    assert not any(path.endswith("train.py") for path in server.asked)


def test_it_is_downloaded_once_as_plain_files(serve, files):
    server = serve(files)
    folder = Path(fetched("hf://kim/cats"))
    assert not any(path.is_symlink() for path in folder.rglob("*"))
    server.asked.clear()
    assert fetched("hf://kim/cats") == str(folder)
    assert not any("weights" in path for path in server.asked)


def test_a_repository_with_an_archive_is_a_model(serve, archive):
    serve({"model.tar.gz": archive})
    assert sdp_pointer.load("hf://kim/cats").parse(SENTENCE).tokens


def test_an_archive_of_a_server_is_a_model(serve, archive, capsys):
    server = serve({"model.tar.gz": archive})
    checksum = hashlib.sha256(archive).hexdigest()
    address = f"{server.address}/files/model.tar.gz#sha256={checksum}"
    assert sdp_pointer.load(address).parse(SENTENCE).tokens
    assert main(["info", address]) == 0
    assert "words alone" in capsys.readouterr().out


def test_another_checksum_is_refused(serve, archive, capsys):
    server = serve({"model.tar.gz": archive})
    address = f"{server.address}/files/model.tar.gz#sha256={'0' * 64}"
    with pytest.raises(ArchiveError, match=f"not {'0' * 64}; the file has changed"):
        sdp_pointer.load(address)
    assert main(["parse", "--model", address, "The cat sleeps."]) == 2
    last = capsys.readouterr().err.splitlines()[-1]  # after the progress of the download
    assert last.startswith(f"sdp-pointer: error: cannot load {address.partition('#')[0]}: ")


@pytest.mark.parametrize("address", ["{}/files/nothing.tar.gz", "hf://kim/dogs", "hf://kim/@/x"])
def test_what_is_not_there_is_said_in_one_line(serve, address, capsys):
    address = address.format(serve({}).address)
    with pytest.raises(FetchError, match="cannot fetch"):
        sdp_pointer.load(address)
    assert main(["info", address]) == 2
    assert capsys.readouterr().err.startswith(f"sdp-pointer: error: cannot fetch {address}: ")
