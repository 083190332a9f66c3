"""What is said of a model that cannot be loaded."""

import pickle
import tarfile
import zipfile
import zlib

from safetensors import SafetensorError

from ..errors import UserError
from ..graphs.problems import printable

# What a damaged or hostile file makes gzip, zipfile, torch and safetensors raise.
DAMAGE = (
    SafetensorError,
    tarfile.TarError,
    zipfile.BadZipFile,
    zlib.error,
    pickle.UnpicklingError,
    EOFError,
    MemoryError,
    OSError,
    RuntimeError,
    UnicodeError,
    ValueError,
    KeyError,
    IndexError,
    AttributeError,
    TypeError,
)


class ArchiveError(UserError):
    """A model that is damaged, incomplete or hostile."""


class MissingError(ArchiveError, FileNotFoundError):
    """A model, or a part of one, that is not there."""


class ForbiddenError(ArchiveError, PermissionError):
    """Something that a stranger's model may not do.

    Libraries expect errors of this kind from the system: what they can do without, they leave out.
    """


def one_line(error: BaseException) -> str:
    """The first line of an exception's message, or its type if it has none.

    >>> one_line(ValueError("it is cut\\nat byte 7")), one_line(EOFError())
    ('it is cut', 'EOFError')
    """
    lines = str(error).strip().splitlines()
    return printable(lines[0].strip()) if lines else type(error).__name__
