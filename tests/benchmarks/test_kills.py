"""Trainings that are killed and recovered."""


def test_a_killed_training_is_recovered_and_compared(benchmark, tmp_path):
    table, found = benchmark("kills.py", "out", "--kills", 1, "--seed", 5, "--epochs", 2)
    assert (found["seed"], found["same"]) == (5, 1)
    [row] = found["rows"]
    assert row["same"]
    assert 0 < row["seconds"] < found["seconds"]
    assert table.splitlines()[-1] == "1 of 1 trainings that were killed ended with the same digits"
    assert (tmp_path / "out" / "1.log").read_text().count("Beginning training") >= 1


def test_a_figure_that_differs_is_found(programs, tmp_path):
    import kills

    (tmp_path / "metrics.json").write_text(
        '{"LF": 0.5, "training_duration": "0:01", "peak_worker_0_memory_MB": 9.0}'
    )
    assert kills.metrics(tmp_path) == {"LF": 0.5}
    assert kills.reached(tmp_path) == "after the last epoch"
