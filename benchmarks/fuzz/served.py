"""`sdp-pointer serve` under a watch: what it may not do is said on standard error, and not done."""

import os
import sys
from typing import Any

from watch import NETWORK, PROGRAMS, Watch

from sdp_pointer.commands import main


class WatchedServer(Watch):
    """Lets a server listen, start processes of its own, and talk to itself."""

    def trespass(self, event: str, arguments: tuple[Any, ...]) -> str:
        if event in PROGRAMS or (event in NETWORK and "127.0.0.1" in repr(arguments)):
            return ""
        what = super().trespass(event, arguments)
        if what:
            print(f"TRESPASS {what}", file=sys.stderr, flush=True)
        return what


with WatchedServer(os.environ["TMPDIR"]).on():
    main(["serve", "--port", "0"])
