"""What a part of the parser is worth."""

import json

from sdp_pointer.graphs import read


def test_what_extra_sentences_gain_is_measured_once(benchmark, tmp_path, settings):
    arguments = ("ablation.py", "extra", "out", "--sentences", 8)
    only = "train.sdp and extra.sdp"
    table, found = benchmark(*arguments, "--only", only, **settings)
    [row] = found["rows"]
    assert row["parser"] == only
    assert len(row["LF"]) == 4
    assert 0 <= row["ood"] <= 1
    head = "| parser | LF 1 | LF 2 | LF 3 | LF 4 | ood LF | training loss | time |"
    assert table.splitlines()[0] == head
    part, whole = (
        [len(list(read(folder / name))) for name in ("train.sdp", "extra.sdp")]
        for folder in (tmp_path / "out" / "data", tmp_path)
    )
    assert part == [8, round(8 / whole[0] * whole[1])]
    model = tmp_path / "out" / "train_sdp_and_extra_sdp" / "model.tar.gz"
    before = model.stat().st_mtime_ns
    assert benchmark(*arguments, "--only", only, **settings)[1] == found
    assert model.stat().st_mtime_ns == before


def test_a_score_for_shift_is_measured_on_the_training_data(benchmark, tmp_path, settings):
    table, found = benchmark(
        "ablation.py", "shift", "out", "--sentences", 8, "--epochs", 2, **settings
    )
    assert [len(row["LF"]) for row in found["rows"]] == [2, 2, 2]
    assert all(row["ood"] is None for row in found["rows"])
    assert table.splitlines()[0] == "| parser | LF 1 | LF 2 | training loss | time |"
    trained, scored = (tmp_path / "out" / "data" / f"{name}.sdp" for name in ("train", "dev"))
    assert trained.read_text() == scored.read_text()
    paper, ours, _ = (
        json.loads((tmp_path / "out" / folder / "config.json").read_text())
        for folder in ("as_in_the_paper_lr_001", "shift_score_lr_001", "shift_score_lr_002")
    )
    assert not paper["model"]["decoders"]["dm"]["shift_score"]
    assert ours["model"]["decoders"]["dm"]["shift_score"]


def test_every_ablation_changes_what_is_in_its_config(programs, monkeypatch):
    import ablation
    from allennlp.common import Params

    monkeypatch.setenv("SDP_VECTORS", "")
    # Those that are not in the configs.
    new = {"pooling", "unk_replacement", "label_loss_weight", "use_amp"}
    for make in ablation.SETS.values():
        for name, (config, overrides) in make().experiments.items():
            params = Params.from_file(str(ablation.CONFIGS / f"{config}.jsonnet")).as_dict()
            for key in overrides:
                *path, last = key.split(".")
                found = params
                for part in path:
                    found = found[part]
                assert last in found or last in new, (name, key)
