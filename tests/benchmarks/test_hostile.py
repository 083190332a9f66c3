"""A neighbour of hostile clients is measured."""


def test_a_neighbour_is_answered_beside_each_kind(benchmark, words_model):
    kinds = ["1,000 words, 16 graphs, drawn", "sends nonsense"]
    chosen = [part for kind in kinds for part in ("--only", kind)]
    table, found = benchmark("hostile.py", words_model, "--seconds", 0.2, *chosen)
    assert [row["kind"] for row in found["rows"]] == ["none", *kinds, "all of them"]
    for row in found["rows"]:
        assert row["requests"] > 0
        assert row["failures"] == {}
        assert f"| {row['kind']} |" in table
