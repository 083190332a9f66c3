"""Serve a web page and a JSON interface.

The page draws what is typed; /openapi.json describes the interface. Only this computer can reach
it, unless HOST says otherwise.
"""

import argparse
import socket
import sys

from ..errors import UserError
from .options import add_model, add_precision, loaded


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_model(parser)
    parser.add_argument("--host", default="127.0.0.1", help="default: 127.0.0.1, this computer")
    parser.add_argument("--port", type=_port, default=8000, help="default: 8000; 0 is any free one")
    parser.add_argument(
        "--pipeline", metavar="NAME", help="spaCy pipeline for models that need tags or lemmas"
    )
    parser.add_argument("--device", default="cpu", help="cpu (default), cuda or cuda:1")
    add_precision(parser)


def run(arguments: argparse.Namespace) -> int:
    try:
        import uvicorn

        from ..server.app import make_app
    except ModuleNotFoundError as error:
        raise UserError(
            f"there is no {error.name}, which the server needs: pip install fastapi uvicorn"
        ) from None
    # Before the model is loaded, which takes longer.
    with _listening(arguments.host, arguments.port) as listener:
        parser = loaded(arguments)
        config = uvicorn.Config(make_app(parser), log_level="warning", limit_concurrency=1000)
        host, port = listener.getsockname()[:2]
        shown = f"[{host}]" if ":" in host else host
        print(f"http://{shown}:{port} (Ctrl-C ends it)", file=sys.stderr, flush=True)
        uvicorn.Server(config).run(sockets=[listener])
    return 0


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port: a number up to 65535")
    return int(text)


def _listening(host: str, port: int) -> socket.socket:
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        return socket.create_server(address[:2], family=family, backlog=1024)
    except OSError as error:
        # Python repeats the address in parentheses.
        reason = str(error.strerror).partition(" (")[0]
        raise UserError(f"cannot listen on {host}, port {port}: {reason}") from None
