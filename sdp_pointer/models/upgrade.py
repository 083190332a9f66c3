"""Models of version 0.1: what their configs and weights are called today."""

from typing import Any

# A decoder whose formalism nobody has named.
UNNAMED = "graph"

# The flat parameters of the model, and where they are now.
_MOVED = {
    **{name: f"backbone.{name}" for name in ("text_field_embedder", "encoder", "tagger")},
    "tag_loss_weight": "backbone.tagger.loss_weight",
    "decoder_input_size": "input_size",
    "decoder_size": "state_size",
    "label_size": "labeller.size",
    **{
        name: name
        for name in (
            *("arc_size", "dropout", "shift_score", "skip_connection"),
            *("label_loss_weight", "features"),
        )
    },
    **{
        name: f"search.{name}"
        for name in ("beam_size", "acyclic", "ascending", "max_heads", "label_weight", "n_best")
    },
}

_PREFIXES = {
    "text_field_embedder.": "backbone.text_field_embedder.",
    "encoder.": "backbone.encoder.",
    "tagger.": "backbone.tagger.",
    "decoder.": "{decoder}.network.",
    "labeller.": "{decoder}.labeller.",
}


def upgraded_config(config: dict[str, Any]) -> dict[str, Any]:
    """The parameters of a model, those of version 0.1 in their present places.

    >>> upgraded_config({"encoder": {"hidden_size": 8}, "decoder_size": 9, "beam_size": 5})
    {'backbone': {'encoder': {'hidden_size': 8}}, 'decoders': {'graph': {'state_size': 9, \
'search': {'beam_size': 5}}}}
    """
    flat = {name: config[name] for name in _MOVED if name in config}
    if not flat:
        return config
    if flat.get("tagger") is None:
        flat.pop("tag_loss_weight", None)
    present = {name: value for name, value in config.items() if name not in _MOVED}
    [decoder] = present.get("decoders") or [UNNAMED]
    moved: dict[str, Any] = {}
    for name, value in flat.items():
        path = _MOVED[name]
        if not path.startswith("backbone."):
            path = f"decoders.{decoder}.{path}"
        for part in reversed(path.split(".")):
            value = {part: value}
        moved = _merged(moved, value)
    # In a config of version 0.1, present names come from --overrides, and the other way round.
    embedder = flat.get("text_field_embedder", {})
    is_old = "token_embedders" in embedder or "type" in embedder
    return _merged(moved, present) if is_old else _merged(present, moved)


def _merged(config: Any, changes: Any) -> Any:
    """A config with changes, those of objects inside it one by one.

    >>> _merged({"a": {"b": 1, "c": 2}, "d": 3}, {"a": {"c": 4}, "d": 5})
    {'a': {'b': 1, 'c': 4}, 'd': 5}
    """
    if not isinstance(config, dict) or not isinstance(changes, dict):
        return changes
    same = {name: _merged(config[name], changes[name]) for name in config if name in changes}
    return {**config, **changes, **same}


def present_name(name: str, decoder: str) -> str:
    """What is called today what version 0.1 called so.

    >>> present_name("decoder.root", "dm"), present_name("backbone.encoder.x", "dm")
    ('decoders.dm.network.root', 'backbone.encoder.x')
    """
    for old, new in _PREFIXES.items():
        if name.startswith(old):
            return new.format(decoder=f"decoders.{decoder}") + name.removeprefix(old)
    return name
