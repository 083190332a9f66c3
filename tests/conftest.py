"""What several tests share: the fixtures folder, and AllenNLP's command as a user runs it."""

import logging
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import pytest
from filelock import FileLock
from hypothesis import HealthCheck, settings

# No test may depend on how busy the machine is.
settings.register_profile(
    "any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("any machine")

FIXTURES = Path(__file__).parent.parent / "fixtures"
# Of the training behind `words_model`.
WORDS_SETTINGS = {"SDP_DATA": str(FIXTURES / "data"), "SDP_EPOCHS": "12"}


@pytest.fixture(autouse=True)
def logs_end_with_their_training():
    """AllenNLP goes on to log into the folder and to the streams of a training in this process.

    A test may have removed the one, and pytest has closed the others.
    """
    yield
    for logger in (logging.getLogger(), logging.getLogger("tqdm")):
        for handler in logger.handlers[:]:
            log = os.path.basename(getattr(handler, "baseFilename", ""))
            if log == "out.log" or type(handler) is logging.StreamHandler:
                logger.removeHandler(handler)
                handler.close()


@pytest.fixture(autouse=True)
def torch_is_seeded():
    """By the seed of the run, as pytest-randomly does for other random numbers."""
    if "torch" in sys.modules:
        sys.modules["torch"].manual_seed(random.getrandbits(32))


@pytest.fixture
def heeded_signals():
    """Signals have their usual effect, though the tests were started by nohup or in background."""
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = {number: signal.getsignal(number) for number in numbers}
    for number, handler in before.items():
        if handler is signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture
def fixtures() -> Path:
    return FIXTURES


@pytest.fixture(scope="session")
def offline() -> Mapping[str, str]:
    """The environment of a user without a network: nothing may be fetched from a hub.

    It is the same for every test, so that nobody can change it, and no config finds a setting in it
    that its test did not give.
    """
    ours = {name: value for name, value in os.environ.items() if not name.startswith("SDP_")}
    names = {"HF_HUB_OFFLINE": "1", "CLASSIFIER_DATA": str(FIXTURES / "classifier")}
    return MappingProxyType({**ours, **names})


@pytest.fixture(scope="session")
def refusing(tmp_path_factory) -> Path:
    """A folder that, on PYTHONPATH, keeps a program from connecting to anything."""
    folder = tmp_path_factory.mktemp("refusing")
    (folder / "sitecustomize.py").write_text(
        "import sys\n"
        "def refuse(event, arguments):\n"
        "    if event in ('socket.connect', 'socket.getaddrinfo'):\n"
        "        raise SystemExit(f'{event}: {arguments}')\n"
        "sys.addaudithook(refuse)\n"
    )
    return folder


@pytest.fixture(scope="session")
def allennlp(offline):
    """Runs `allennlp ARGUMENTS` in a folder, as a process of its own, with settings if given."""

    def run(folder, *arguments, settings=None, **kwargs):
        return subprocess.run(
            [sys.executable, "-m", "allennlp", *map(str, arguments)],
            cwd=folder,
            env={**offline, **(settings or {})},
            capture_output=True,
            text=True,
            timeout=300,
            **kwargs,
        )

    return run


@pytest.fixture(scope="session")
def killed(offline):
    """Runs `allennlp train ARGUMENTS -s out` in a folder, and kills it after some epochs."""

    def run(folder, epochs, *arguments, settings=None):
        command = [sys.executable, "-m", "allennlp", "train", *map(str, arguments), "-s", "out"]
        with (folder / "killed.log").open("w") as log:
            env = {**offline, **(settings or {})}
            process = subprocess.Popen(command, cwd=folder, env=env, stdout=log, stderr=log)
        deadline = time.monotonic() + 120
        while not (folder / "out" / f"training_state_e{epochs}_b0.th").exists():
            assert process.poll() is None, (folder / "killed.log").read_text()
            assert time.monotonic() < deadline, "no checkpoint was written"
            time.sleep(0.001)
        process.kill()
        process.wait()
        assert not (folder / "out" / "model.tar.gz").exists(), "it was killed too late"

    return run


@pytest.fixture(scope="session")
def trained(allennlp, tmp_path_factory):
    """A folder outside of the repository in which AllenNLP's classifier has been trained."""
    folder = tmp_path_factory.mktemp("trained")
    result = allennlp(folder, "train", FIXTURES / "classifier" / "config.jsonnet", "-s", "out")
    assert result.returncode == 0, result.stderr
    (folder / "stderr").write_text(result.stderr)
    return folder


@pytest.fixture(scope="session")
def words_model(allennlp, tmp_path_factory, worker_id) -> Path:
    """The archive of a small trained parser that needs neither tags nor lemmas; do not change it.

    The first worker that needs it trains it for all.
    """
    base = tmp_path_factory.getbasetemp()
    folder = (base if worker_id == "master" else base.parent) / "words"
    config = FIXTURES.parent / "training_config" / "tiny.jsonnet"
    archive = folder / "out" / "model.tar.gz"
    with FileLock(f"{folder}.lock"):
        if not archive.exists():
            folder.mkdir(exist_ok=True)
            command = ("train", config, "-s", "out", "--force")
            result = allennlp(folder, *command, settings=WORDS_SETTINGS)
            assert result.returncode == 0, result.stderr
    return archive


@pytest.fixture(scope="session")
def words_parser(words_model):
    import sdp_pointer

    return sdp_pointer.load(str(words_model))


@pytest.fixture(scope="session")
def packed_model(words_model, tmp_path_factory) -> Path:
    """The same parser as a folder that `sdp-pointer pack` made."""
    from sdp_pointer.archives.packing import pack

    folder = tmp_path_factory.mktemp("packed") / "model"
    pack(str(words_model.parent), str(folder))
    return folder
