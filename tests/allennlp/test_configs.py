"""How configs are read, and what they may name."""

import types

import pytest

import sdp_pointer.components  # noqa: F401
from sdp_pointer.allennlp_compat.patches import commands
from sdp_pointer.errors import UserError


def test_a_strangers_config_cannot_call_whatever_it_likes(tmp_path):
    from allennlp.common import Params
    from allennlp.common.checks import ConfigurationError
    from allennlp.models import Model

    from sdp_pointer.archives.strangers import registered_names

    command = ["touch", str(tmp_path / "exploded")]
    refused = pytest.raises(ConfigurationError, match=r"subprocess\.Popen is not a Model")
    with registered_names(), refused:
        Model.from_params(Params({"type": "subprocess.Popen", "args": command}))
    assert not (tmp_path / "exploded").exists()


def test_a_class_may_still_be_given_by_its_full_name():
    from allennlp.data import DatasetReader
    from allennlp.data.dataset_readers import SequenceTaggingDatasetReader

    name = "allennlp.data.dataset_readers.sequence_tagging.SequenceTaggingDatasetReader"
    assert DatasetReader.by_name(name) is SequenceTaggingDatasetReader


def test_without_jsonnet_a_json_config_is_read_and_another_says_what_to_install(
    tmp_path, monkeypatch
):
    module = types.SimpleNamespace()
    monkeypatch.setattr(commands, "is_installed", lambda package: False)
    commands.required_jsonnet(module)
    (tmp_path / "plain.json").write_text('{"a": 1}')
    assert module.evaluate_file(str(tmp_path / "plain.json"), ext_vars={}) == '{"a": 1}'
    (tmp_path / "config.jsonnet").write_text("{a: 1}  // a comment")
    with pytest.raises(UserError, match="pip install jsonnet"):
        module.evaluate_file(str(tmp_path / "config.jsonnet"))


def test_the_environment_is_one_object_for_jsonnet(tmp_path, monkeypatch):
    from allennlp.common import Params

    monkeypatch.setenv("SDP_SEED", "17")
    config = "std.get(std.parseJson(std.extVar('SDP_ENVIRONMENT')), '{}', 'default')"
    (tmp_path / "config.jsonnet").write_text(
        f"{{a: {config.format('SDP_SEED')}, b: {config.format('SDP_UNSET')}}}"
    )
    assert Params.from_file(tmp_path / "config.jsonnet").as_dict() == {"a": "17", "b": "default"}
