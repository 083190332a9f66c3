"""The one exception whose message is written for the user alone, and how others are shown."""


class UserError(Exception):
    """Something that the user can correct: the message says what is wrong, where, and what to do.

    The commands print it in one line, without a traceback, and end with exit code 2.
    """


def reason(error: OSError) -> str:
    """The system's message, with the file that it is about.

    >>> reason(FileNotFoundError(2, "No such file or directory", "cats.sdp"))
    'cats.sdp: No such file or directory'
    """
    return f"{error.filename}: {error.strerror}" if error.filename else str(error)
