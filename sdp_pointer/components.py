"""Importing this module registers the package's AllenNLP components.

AllenNLP's commands import it by themselves (see `allennlp_compat`); in Python, import it before you
build anything from a config. The torch-free parts of the package never import it.
"""

# AllenNLP must be patched before it is imported.
from . import allennlp_compat  # noqa: F401
from .installation import require_allennlp

require_allennlp()

from . import dataset_readers, metrics, models, nn, predictors, training, transformer  # noqa: E402, F401
