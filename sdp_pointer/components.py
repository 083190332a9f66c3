"""Importing this module registers the package's AllenNLP components.

AllenNLP's commands import it by themselves (see `allennlp_compat`); in Python, import it before you
build anything from a config. The torch-free parts of the package never import it.
"""

# AllenNLP must be patched before it is imported.
from .allennlp_compat import NOT_INSTALLED, is_installed

if not is_installed("allennlp"):
    raise ImportError(NOT_INSTALLED)

from . import dataset_readers, metrics, models, nn, predictors, training, transformer  # noqa: F401
