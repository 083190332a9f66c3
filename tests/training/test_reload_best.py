"""When the learning rate falls, training goes on from the best weights; by AllenNLP's trainer."""

import pytest

from .scripted import train, weights


@pytest.mark.parametrize(
    ("patience", "expected"), [(0, [1.0, 2.0, 2.0, 2.0]), (1, [1.0, 2.0, 3.0, 2.0])]
)
def test_the_best_weights_are_loaded_only_when_the_rate_has_fallen(tmp_path, patience, expected):
    train(tmp_path, [0.5, 0.6, 0.4, 0.3], patience)
    assert weights(tmp_path) == expected


def test_a_new_best_model_is_kept_though_it_is_too_little_better_for_the_rate(tmp_path):
    assert train(tmp_path, [0.5, 0.50001, 0.4]) == (2.0, 2.0)
    assert weights(tmp_path) == [1.0, 2.0, 2.0]


def test_a_recovered_training_remembers_the_rate(tmp_path):
    train(tmp_path, [0.5])
    train(tmp_path, [0.4], epochs_before=1)
    assert weights(tmp_path) == [1.0, 1.0]
