"""Importing this module registers the package's AllenNLP components.

AllenNLP's commands import it by themselves (see `allennlp_compat`); in Python, import it before you
build anything from a config. The torch-free parts of the package never import it.
"""

# AllenNLP must be mended before it is imported.
from . import _startup  # noqa: F401  isort: skip

from . import dataset_readers, metrics, models, predictors, training  # noqa: F401
from .nn import embedder, encoder  # noqa: F401
