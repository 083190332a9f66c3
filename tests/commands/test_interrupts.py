"""Commands that are told to end, and disks that are full: real processes, real signals."""

import gzip
import os
import resource
import signal
import subprocess
import sys
from functools import partial

import pytest

from sdp_pointer.graphs import Graph, Token, dumps, loads, write

GRAPHS = [Graph([Token(word)], tops=[1], id=word) for word in ("one", "two", "three")]
FIRST, SECOND, _ = dumps(GRAPHS, "jsonl").splitlines()
PIPES = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)


@pytest.fixture
def start(tmp_path, heeded_signals):
    """Starts Python in the test's folder."""
    processes = []

    def started(*arguments):
        process = subprocess.Popen([sys.executable, *arguments], cwd=tmp_path, **PIPES)
        processes.append(process)
        return process

    yield started
    for process in processes:
        with process:
            process.kill()


def convert_one_graph(start, *arguments):
    """A process that has written one graph and waits for the end of the second line."""
    process = start("-m", "sdp_pointer", "convert", "-", *arguments, "--lenient")
    # The second line is warned of, and read when the first graph has been written.
    process.stdin.write(f"{FIRST}\n{SECOND}\r\n".encode())
    process.stdin.flush()
    assert (
        process.stderr.readline()
        == b"warning: <stdin>:2: line ends with CR LF; expected LF alone\n"
    )
    return process


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_a_signal_leaves_the_old_file_and_keeps_the_new_one(tmp_path, start, number, suffix):
    target = tmp_path / f"graphs.jsonl{suffix}"
    target.write_text("old")
    process = convert_one_graph(start, target.name)
    process.send_signal(number)
    errors = process.stderr.read().decode()
    assert process.wait() == 128 + number
    assert errors == (
        "sdp-pointer: interrupted; what was written until then is in"
        f" graphs.interrupted.jsonl{suffix}; {target.name} is as it was\n"
    )
    assert target.read_text() == "old"
    kept = (tmp_path / f"graphs.interrupted.jsonl{suffix}").read_bytes()
    text = gzip.decompress(kept).decode() if suffix else kept.decode()
    assert loads(text, "jsonl") in (GRAPHS[:1], GRAPHS[:2])
    assert len(os.listdir(tmp_path)) == 2


def test_an_interrupted_command_on_the_standard_output_ends_without_a_word(start):
    process = convert_one_graph(start, "-", "--to", "jsonl")
    process.terminate()
    assert loads(process.stdout.read().decode(), "jsonl") in (GRAPHS[:1], GRAPHS[:2])
    assert process.stderr.read() == b""
    assert process.wait() == 143


def test_what_is_ignored_stays_ignored_as_under_nohup(tmp_path, start):
    signal.signal(signal.SIGHUP, signal.SIG_IGN)  # A process begins with what its parent ignores.
    process = convert_one_graph(start, "graphs.jsonl")
    process.send_signal(signal.SIGHUP)
    process.stdin.close()
    assert process.wait() == 0
    assert loads((tmp_path / "graphs.jsonl").read_text(), "jsonl") == GRAPHS[:2]


CLEANING = """
from sdp_pointer.interrupts import interruptible

with interruptible("program"):
    try:
        print("begun", flush=True)
        input()
    finally:
        print("cleaning", flush=True)
        input()
        print("cleaned", flush=True)
        input()
"""


def test_a_second_signal_does_not_disturb_the_end_and_a_third_one_kills(start):
    process = start("-c", CLEANING)
    assert process.stdout.readline() == b"begun\n"
    process.send_signal(signal.SIGINT)
    assert process.stdout.readline() == b"cleaning\n"
    process.send_signal(signal.SIGINT)
    process.stdin.write(b"\n")
    process.stdin.flush()
    assert process.stdout.readline() == b"cleaned\n"
    process.send_signal(signal.SIGTERM)
    assert process.wait() == -signal.SIGTERM


def convert(folder, target, **options):
    command = [sys.executable, "-m", "sdp_pointer", "convert", "gold.sdp", target, "--to", "sdp"]
    return subprocess.run(command, cwd=folder, stderr=subprocess.PIPE, text=True, **options)


@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_a_full_disk_is_told_in_one_line_and_costs_no_file(tmp_path, suffix):
    write(GRAPHS * 2000, tmp_path / "gold.sdp")
    target = tmp_path / f"old.sdp{suffix}"
    target.write_text("old")
    # Stands for a full disk, which a test cannot have.
    small = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (100, 100))
    result = convert(tmp_path, target.name, preexec_fn=small)
    assert result.returncode == 2
    assert result.stderr == f"sdp-pointer: error: {target.name}: File too large\n"
    assert target.read_text() == "old"
    assert len(os.listdir(tmp_path)) == 2


def test_a_device_that_takes_no_more_is_told_in_one_line(tmp_path):
    write(GRAPHS, tmp_path / "gold.sdp")
    with open("/dev/full", "w") as full:
        result = convert(tmp_path, "-", stdout=full)
    assert result.returncode == 2
    assert result.stderr == "sdp-pointer: error: [Errno 28] No space left on device\n"
    result = convert(tmp_path, "/dev/full")
    assert result.returncode == 2
    assert result.stderr == "sdp-pointer: error: /dev/full: No space left on device\n"
