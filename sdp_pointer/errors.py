"""The one exception whose message is written for the user alone."""


class UserError(Exception):
    """Something that the user can mend: the message says what is wrong, where, and what to do.

    The commands print it in one line, without a traceback, and end with exit code 2.
    """
