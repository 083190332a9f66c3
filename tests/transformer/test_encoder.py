"""Word vectors against slow references, for transformers of all kinds."""

import pytest
import torch

from sdp_pointer.graphs import read
from sdp_pointer.transformer.encoder import longest_input
from sdp_pointer.transformer.pieces import Pieces, split, windows
from sdp_pointer.transformer.pretrained import load_model, load_tokenizer
from tests.conftest import FIXTURES
from tests.transformer.conftest import make_transformer


def sentences(tokenizer, path=FIXTURES / "data" / "dm.dev.sdp"):
    return [split(tokenizer, [token.form for token in graph.tokens]) for graph in read(path)]


def states(model, tokenizer, ids, layer):
    """The reference: one input, without padding or batches."""
    first, _, last = tokenizer(["a"], is_split_into_words=True)["input_ids"]
    special = [first, *ids, last]
    with torch.no_grad():
        output = model(input_ids=torch.tensor([special]), output_hidden_states=True)
    return output.hidden_states[layer][0, 1:-1]


def pooled(pieces, counts, pooling):
    parts = pieces.split(counts)
    return torch.stack([part.mean(0) if pooling == "mean" else part[0] for part in parts])


@pytest.mark.parametrize("pooling", ["mean", "first"])
def test_vectors_are_those_of_one_sentence_alone(any_transformer, encoder_of, pooling):
    encoder = encoder_of(any_transformer, layers=[3, 4, 0], pooling=pooling)
    tokenizer = load_tokenizer(any_transformer)
    batch = [s for s in sentences(tokenizer) if len(s.ids) <= encoder.window]
    assert len(batch) > 5
    with torch.no_grad():
        found = encoder(batch)
    for sentence, vectors in zip(batch, found):
        layers = [
            pooled(states(encoder.model, tokenizer, sentence.ids, layer), sentence.counts, pooling)
            for layer in (3, 4, 0)
        ]
        torch.testing.assert_close(vectors, torch.cat(layers, dim=1))


def test_the_longest_input_is_read_and_a_longer_one_is_not(any_transformer):
    model = load_model(any_transformer).eval()
    length = longest_input(model)
    model(input_ids=torch.full((1, length), 5))
    with pytest.raises((IndexError, RuntimeError)):
        model(input_ids=torch.full((1, length + 1), 5))


def test_a_long_sentence_is_read_in_windows(any_transformer, encoder_of):
    encoder = encoder_of(any_transformer)
    tokenizer = load_tokenizer(any_transformer)
    [sentence] = [
        s for s in sentences(tokenizer, FIXTURES / "data" / "dm.train.sdp") if len(s.counts) > 60
    ]
    cut = windows(len(sentence.ids), encoder.window)
    assert len(cut) > 2
    parts = []
    for read_, kept in cut:
        vectors = states(encoder.model, tokenizer, [sentence.ids[i] for i in read_], 3)
        parts += [vectors[i - read_.start] for i in kept]
    short = Pieces(sentence.ids[:3], [1, 2])
    with torch.no_grad():
        _, found = encoder([short, sentence])
    torch.testing.assert_close(found, pooled(torch.stack(parts), sentence.counts, "mean"))


def test_windows_equal_one_long_pass_where_context_does_not_matter(tmp_path, encoder_of):
    make_transformer("bert", tmp_path, max_position_embeddings=400)
    encoder = encoder_of(tmp_path)
    encoder.model.embeddings.position_embeddings.weight.data.zero_()
    for layer in encoder.model.encoder.layer:
        layer.attention.output.dense.weight.data.zero_()
    sentence = Pieces([5 + i % 50 for i in range(300)], [1, 2, 3] * 50)
    with torch.no_grad():
        encoder.window = 300
        [whole] = encoder([sentence])
        for window in (1, 2, 7, 58, 299):
            encoder.window = window
            torch.testing.assert_close(encoder([sentence])[0], whole)


def test_a_window_hardly_changes_what_is_far_from_its_end(tmp_path, encoder_of):
    """Windows give a vector near that of the whole sentence, nearer than that of another word."""
    make_transformer("bert", tmp_path, max_position_embeddings=400)
    encoder = encoder_of(tmp_path)
    encoder.model.embeddings.position_embeddings.weight.data.zero_()
    sentence = Pieces([5 + i * i % 50 for i in range(120)], [1] * 120)
    with torch.no_grad():
        encoder.window = 120
        [whole] = encoder([sentence])
        encoder.window = 58
        [parts] = encoder([sentence])
    nearest = torch.cdist(parts, whole).argmin(1)
    assert [sentence.ids[i] for i in nearest] == sentence.ids


def test_sentences_of_similar_length_share_a_pass(bert, encoder_of, monkeypatch):
    encoder = encoder_of(bert)
    shapes = []
    forward = encoder.model.forward

    def recording(input_ids, **options):
        shapes.append(tuple(input_ids.shape))
        return forward(input_ids=input_ids, **options)

    monkeypatch.setattr(encoder.model, "forward", recording)
    monkeypatch.setattr("sdp_pointer.transformer.encoder.MAX_PIECES", 40)
    lengths = [3, 20, 2, 4, 21]
    found = encoder([Pieces([7] * n, [1] * n) for n in lengths])
    assert shapes == [(3, 6), (1, 22), (1, 23)]
    assert [len(vectors) for vectors in found] == lengths
