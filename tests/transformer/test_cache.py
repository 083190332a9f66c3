"""The cache of word vectors: processes, kills, bounds."""

import logging
import os
import pickle
import signal
import subprocess
import sys
import time

import numpy
import pytest

from sdp_pointer.errors import UserError
from sdp_pointer.transformer.cache import VectorCache, default_folder, key
from sdp_pointer.transformer.pieces import Pieces


def vectors(number, words=3):
    return numpy.full((words, 4), number, dtype="float16")


def python(code, folder):
    """Runs code in a process of its own, with `cache` and `numpy`."""
    prelude = (
        "import numpy, os, signal, time\n"
        "from sdp_pointer.transformer.cache import VectorCache\n"
        f"cache = VectorCache({str(folder)!r}, {{gigabytes}})\n"
    )
    return subprocess.Popen([sys.executable, "-c", prelude.format(gigabytes=0.01) + code])


def test_what_is_stored_comes_back(cache):
    store = VectorCache(cache, 0.01)
    store.put({b"a": vectors(1), b"b": vectors(2, words=5)})
    found = store.get([b"a", b"b", b"c"], 4)
    assert set(found) == {b"a", b"b"}
    assert (found[b"a"] == vectors(1)).all()
    assert (found[b"b"] == vectors(2, words=5)).all()


def test_two_caches_of_a_folder_share_it_and_can_be_pickled(cache):
    VectorCache(cache, 0.01).put({b"a": vectors(1)})
    other = pickle.loads(pickle.dumps(VectorCache(cache, 0.01)))
    assert b"a" in other.get([b"a"], 4)


def test_the_key_depends_on_all_that_the_vectors_depend_on():
    sentence = Pieces([7, 8, 9], [1, 2])
    others = [
        key("other", sentence),
        key("bert", Pieces([7, 8, 9], [2, 1])),
        key("bert", Pieces([7, 9, 8], [1, 2])),
        key("bert", Pieces([7, 8], [1, 1])),
    ]
    assert len({key("bert", sentence), *others}) == 5
    assert key("bert", sentence) == key("bert", Pieces([7, 8, 9], [1, 2]))


def test_several_processes_write_and_read_at_once(cache):
    code = (
        "open(os.path.join(cache.folder, 'ready ME'), 'w').close()\n"
        "while not os.path.exists(os.path.join(cache.folder, 'go')): time.sleep(0.01)\n"
        "for number in range(60):\n"
        "    cache.put({b'%d %d' % (ME, number): numpy.full((3, 4), ME, dtype='float16')})\n"
        "    assert len(cache.get([b'%d %d' % (ME, n) for n in range(number + 1)], 4)) > number\n"
    )
    cache.mkdir()
    processes = [python(code.replace("ME", str(me)), cache) for me in (1, 2, 3)]
    while len(list(cache.glob("ready *"))) < 3:
        assert all(process.poll() is None for process in processes)
        time.sleep(0.01)
    (cache / "go").touch()
    assert [process.wait(60) for process in processes] == [0, 0, 0]
    keys = [b"%d %d" % (me, number) for me in (1, 2, 3) for number in range(60)]
    found = VectorCache(cache, 0.01).get(keys, 4)
    assert len(found) == 180
    assert all((array == int(name.split()[0])).all() for name, array in found.items())


def test_a_kill_in_the_middle_of_writing_leaves_the_rest_whole(cache):
    code = (
        "cache.put({b'whole': numpy.ones((3, 4))})\n"
        "transaction = cache._begin(write=True)\n"
        "transaction.put(b'half', b'1')\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    assert python(code, cache).wait(60) == -signal.SIGKILL
    store = VectorCache(cache, 0.01)
    store.put({b"after": vectors(3)})
    assert set(store.get([b"whole", b"half", b"after"], 4)) == {b"whole", b"after"}


def test_when_it_is_full_it_says_so_once_and_is_still_read(cache, caplog):
    store = VectorCache(cache, 0.0005)
    with caplog.at_level(logging.WARNING):
        for number in range(40):
            store.put({b"%d" % number: vectors(number, words=5000)})
    assert len([record for record in caplog.records if "all of the space" in record.message]) == 1
    stored = store.get([b"%d" % number for number in range(40)], 4)
    assert 0 < len(stored) < 40
    assert all((array == int(name)).all() for name, array in stored.items())
    assert (cache / "data.mdb").stat().st_size <= 0.0005 * 2**30


def test_another_process_may_store_more_than_this_one(cache):
    store = VectorCache(cache, 0.0005)
    store.put({b"mine": vectors(1)})
    code = "cache.put({b'%d' % n: numpy.ones((50000, 4)) for n in range(10)})"
    assert python(code, cache).wait(60) == 0
    assert set(store.get([b"mine", b"7"], 4)) == {b"mine", b"7"}


def test_a_fork_opens_the_cache_anew(cache):
    store = VectorCache(cache, 0.01)
    store.put({b"parent": vectors(1)})
    child = os.fork()
    if not child:
        status = 1
        try:
            store.put({b"child": vectors(2)})
            status = 0 if b"parent" in store.get([b"parent"], 4) else 1
        finally:
            os._exit(status)
    assert os.waitpid(child, 0)[1] == 0
    assert set(store.get([b"parent", b"child"], 4)) == {b"parent", b"child"}


@pytest.mark.parametrize("damage", ["file", "garbage"])
def test_a_folder_that_cannot_be_used_is_named_in_one_sentence(tmp_path, damage):
    folder = tmp_path / "damaged"
    if damage == "file":
        folder.write_text("not a folder")
    else:
        folder.mkdir()
        (folder / "data.mdb").write_bytes(b"garbage" * 3000)
    with pytest.raises(UserError, match="SDP_CACHE") as error:
        VectorCache(folder, 0.01).get([b"a"], 4)
    assert str(folder) in str(error.value)


def test_the_folder_is_the_users_unless_the_environment_names_one(monkeypatch):
    monkeypatch.setenv("SDP_CACHE", "")
    assert default_folder() == ""
    monkeypatch.delenv("SDP_CACHE")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", "/home/me")
    assert default_folder() == "/home/me/.cache/sdp_pointer"
    monkeypatch.setenv("XDG_CACHE_HOME", "/fast")
    assert default_folder() == "/fast/sdp_pointer"
