"""The files of models: archives and folders, configs, weights, transformers inside; packed models.

Models come from strangers: they are opened without trust, and what is wrong is said in one line.
Every way into a model passes here: `extracted_archive` for archives, `check` for folders.
"""

from contextvars import ContextVar

from .errors import DAMAGE, ArchiveError, ForbiddenError, MissingError, one_line
from .extraction import check_archive, extract, extracted_archive
from .folder import check, files, weights_of

# Whether the model that is being built gets its weights from a file as soon as it is there.
loading_weights: ContextVar[bool] = ContextVar("loading_weights", default=False)

__all__ = [
    "DAMAGE",
    "ArchiveError",
    "ForbiddenError",
    "MissingError",
    "check",
    "check_archive",
    "extract",
    "extracted_archive",
    "files",
    "loading_weights",
    "one_line",
    "weights_of",
]
