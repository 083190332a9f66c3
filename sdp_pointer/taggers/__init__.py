"""What guesses a column of the words, such as their parts of speech, from their vectors."""

from .bilstm import BiLstmTagger
from .softmax import SoftmaxTagger
from .tagger import Tagged, Tagger

__all__ = ["BiLstmTagger", "SoftmaxTagger", "Tagged", "Tagger"]
