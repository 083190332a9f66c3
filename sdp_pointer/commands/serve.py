"""Serve a web page and a JSON API.

The page draws the sentences that you type; /openapi.json describes the API. Only this computer can
reach the server, unless you set HOST.
"""

import argparse
import socket
import sys

from ..errors import UserError
from .options import add_model
from .packages import load_parser


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_model(parser)
    parser.add_argument("--host", default="127.0.0.1", help="default: 127.0.0.1, this computer")
    parser.add_argument(
        "--port", type=_port, default=8000, help="default: 8000; 0 picks a free one"
    )
    parser.add_argument(
        "--allow-host",
        metavar="NAME",
        action="append",
        default=[],
        help="host name that clients may use, besides localhost and HOST; may be repeated. Default:"
        " any name, if other computers can reach the server",
    )


def run(arguments: argparse.Namespace) -> int:
    try:
        import fastapi  # noqa: F401
        import httptools  # noqa: F401
        import uvicorn  # noqa: F401
    except ModuleNotFoundError as error:
        raise UserError(
            f"there is no {error.name}, which the server needs: pip install fastapi uvicorn"
            " httptools"
        ) from None
    from ..server.app import make_app
    from ..server.connections import Server
    from ..server.hosts import hosts
    from ..server.limits import Limits
    from ..server.log import log_to_stderr

    # Before the model is loaded, which takes longer.
    with _listening(arguments.host, arguments.port) as listener:
        parser = load_parser(arguments, beam=arguments.beam)
        log_to_stderr()
        limits = Limits()
        host, port = listener.getsockname()[:2]
        app = make_app(parser, limits, hosts(arguments.host, host, arguments.allow_host))
        shown = f"[{host}]" if ":" in host else host
        print(f"http://{shown}:{port} (Ctrl-C ends it)", file=sys.stderr, flush=True)
        # The thread that parses waits for so long, at each of its operations, for one that talks.
        sys.setswitchinterval(0.0005)
        Server(app, listener, limits).run()
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
