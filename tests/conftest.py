"""What several tests share: the fixtures folder, and AllenNLP's command as a user runs it."""

import logging
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# No test may depend on how busy the machine is.
settings.register_profile(
    "any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("any machine")

FIXTURES = Path(__file__).parent.parent / "fixtures"


@pytest.fixture(autouse=True)
def logs_end_with_their_training():
    """AllenNLP goes on to log into the folder of a training, which a test may have removed."""
    yield
    for logger in (logging.getLogger(), logging.getLogger("tqdm")):
        for handler in logger.handlers[:]:
            if os.path.basename(getattr(handler, "baseFilename", "")) == "out.log":
                logger.removeHandler(handler)
                handler.close()


@pytest.fixture
def fixtures() -> Path:
    return FIXTURES


@pytest.fixture(scope="session")
def offline() -> dict[str, str]:
    """The environment of a user without a network: nothing may be fetched from a hub."""
    names = {"HF_HUB_OFFLINE": "1", "CLASSIFIER_DATA": str(FIXTURES / "classifier")}
    return {**os.environ, **names}


@pytest.fixture(scope="session")
def allennlp(offline):
    """Runs `allennlp ARGUMENTS` in a folder, as a process of its own."""

    def run(folder, *arguments, **kwargs):
        return subprocess.run(
            [sys.executable, "-m", "allennlp", *map(str, arguments)],
            cwd=folder,
            env=offline,
            capture_output=True,
            text=True,
            timeout=300,
            **kwargs,
        )

    return run


@pytest.fixture(scope="session")
def killed(offline):
    """Runs `allennlp train ARGUMENTS -s out` in a folder, and kills it after some epochs."""

    def run(folder, epochs, *arguments):
        command = [sys.executable, "-m", "allennlp", "train", *map(str, arguments), "-s", "out"]
        with (folder / "killed.log").open("w") as log:
            process = subprocess.Popen(command, cwd=folder, env=offline, stdout=log, stderr=log)
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
def words_model(allennlp, offline, tmp_path_factory) -> Path:
    """The archive of a small trained parser that needs neither tags nor lemmas."""
    folder = tmp_path_factory.mktemp("words")
    config = FIXTURES.parent / "training_config" / "tiny.jsonnet"
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(offline, "SDP_DATA", str(FIXTURES / "data"))
        patch.setitem(offline, "SDP_EPOCHS", "10")
        result = allennlp(folder, "train", config, "-s", "out")
    assert result.returncode == 0, result.stderr
    return folder / "out" / "model.tar.gz"


@pytest.fixture(scope="session")
def words_parser(words_model):
    import sdp_pointer

    return sdp_pointer.load(str(words_model))


@pytest.fixture(scope="session")
def packed_model(words_model, tmp_path_factory) -> Path:
    """The same parser as a folder that `sdp-pointer pack` made."""
    from sdp_pointer.packing import pack

    folder = tmp_path_factory.mktemp("packed") / "model"
    pack(str(words_model.parent), str(folder))
    return folder
