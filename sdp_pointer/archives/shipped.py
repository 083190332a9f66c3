"""The model that comes with the package, by path or by name."""

import os

# Beside this folder.
ENGLISH_DM = os.path.join(os.path.dirname(os.path.dirname(__file__)), "english_dm")


def named_model(name: str) -> str:
    """The path of a model: `english_dm` is the package's, unless there is a file of that name.

    >>> named_model("runs/dm"), os.path.basename(named_model("english_dm"))
    ('runs/dm', 'english_dm')
    """
    is_ours = name == os.path.basename(ENGLISH_DM) and not os.path.exists(name)
    return ENGLISH_DM if is_ours else name
