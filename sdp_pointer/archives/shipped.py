"""A model by name: the one that comes with the package, an address, or a path."""

import os

from .addresses import fetched, is_address

# Beside this folder.
ENGLISH_DM = os.path.join(os.path.dirname(os.path.dirname(__file__)), "english_dm")


def named_model(name: str) -> str:
    """The path of a model: `english_dm` is the package's, unless there is a file of that name.

    What an address names is downloaded.

    >>> named_model("runs/dm"), os.path.basename(named_model("english_dm"))
    ('runs/dm', 'english_dm')
    """
    if is_address(name):
        return fetched(name)
    is_ours = name == os.path.basename(ENGLISH_DM) and not os.path.exists(name)
    return ENGLISH_DM if is_ours else name
