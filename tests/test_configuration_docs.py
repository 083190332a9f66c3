"""docs/configuration.md has every option of every component, with its default, and no other."""

import inspect
import json
import re
from pathlib import Path

import pytest
from allennlp.common import Params, Registrable

import sdp_pointer.components  # noqa: F401
from sdp_pointer.decoders.pointer import Options
from sdp_pointer.models import Backbone

ROOT = Path(__file__).parent.parent
DOCUMENT = (ROOT / "docs" / "configuration.md").read_text()

# What a component is given by AllenNLP, or by the component that builds it.
GIVEN = {
    *("self", "kwargs", "vocab", "serialization_dir", "instances"),
    *("model", "dataset_reader", "frozen", "model_parameters"),
}
GIVEN_TO = {
    "Seq2Seq encoder `variational_bilstm`": {"input_size"},
    "Tagger `bilstm`": {"input_size"},
    "Tagger `softmax`": {"input_size"},
    "Decoder `pointer`": {"word_size"},
    "Labeller `biaffine`": {"state_size", "word_size", "num_labels", "skip_connection"},
}


def components():
    """Each of ours, by the kind of thing and the name that it is registered under."""
    for base, named in Registrable._registry.items():
        kind = re.sub("(?<=[a-z])(?=[A-Z])", " ", base.__name__).capitalize()
        for name, (subclass, constructor) in named.items():
            if subclass.__module__.startswith("sdp_pointer."):
                yield f"{kind} `{name}`", getattr(subclass, constructor or "__init__")


COMPONENTS = {heading.replace("Seq2seq", "Seq2Seq"): made for heading, made in components()}


def section(text, heading):
    [found] = re.findall(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", text, re.DOTALL | re.M)
    return found


def options(text):
    """The rows of the tables: by option, its default as JSON, `""` if it must be given."""
    rows = re.findall(r"^\| `(\w+)` \| (?:`(.*?)`)? ?\|", text, re.M)
    return {name: json.loads(default) if default else "" for name, default in rows}


def parameters(heading, constructor):
    found = inspect.signature(constructor).parameters
    return {
        name: "" if each.default is inspect.Parameter.empty else each.default
        for name, each in found.items()
        if name not in GIVEN | GIVEN_TO.get(heading, set())
    }


@pytest.mark.parametrize("heading", COMPONENTS)
def test_every_option_of_a_component_is_told_with_its_default(heading):
    assert options(section(DOCUMENT, heading)) == parameters(heading, COMPONENTS[heading])


def test_every_option_of_the_backbone_is_told():
    found = parameters("Backbone", Backbone.__init__)
    assert options(section(DOCUMENT, "The backbone")) == found


def test_every_option_of_the_search_is_told_with_its_default():
    told = options(section((ROOT / "docs" / "parsing.md").read_text(), "The search"))
    assert told == Options()._asdict()


def test_no_component_is_told_that_there_is_not():
    told = re.findall(r"^## (.* `\w+`)$", DOCUMENT, re.M)
    assert sorted(told) == sorted(COMPONENTS)


def test_every_environment_variable_is_told():
    files = [*(ROOT / "sdp_pointer").rglob("*.py"), *(ROOT / "training_config").iterdir()]
    used = {name for file in files for name in re.findall(r"\bSDP_[A-Z_]+\b", file.read_text())}
    rows = re.findall(r"^\| `(SDP_\w+)` \|", section(DOCUMENT, "Environment variables"), re.M)
    assert set(rows) == used - {"SDP_ENVIRONMENT"}  # which the patch of Jsonnet hands over


def test_the_short_config_is_a_training(tmp_path):
    [example] = re.findall(r"```jsonnet\n(.*?)```", DOCUMENT, re.DOTALL)
    library = ROOT / "training_config" / "sdp.libsonnet"
    path = tmp_path / "my.jsonnet"
    path.write_text(example.replace("'sdp.libsonnet'", f"'{library}'"))
    config = Params.from_file(path)
    assert config["train_data_path"] == "my.train.sdp"
    embedder = config["model"]["backbone"]["text_field_embedder"]
    assert set(embedder["token_embedders"]) == {"words", "characters"}
