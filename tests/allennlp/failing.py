"""A process that fails for what the user can mend, in a module that is quickly imported."""

from sdp_pointer.errors import UserError

MESSAGE = "data.sdp:7: there is something to mend"


def fail(rank):
    raise UserError(MESSAGE)
