"""Importing this module registers the package's AllenNLP components.

AllenNLP's commands import it by themselves (see `allennlp_compat`); in Python, import it before you
build anything from a config. The torch-free parts of the package never import it.
"""

from . import _startup  # noqa: F401  (AllenNLP must be mended before it is imported)
