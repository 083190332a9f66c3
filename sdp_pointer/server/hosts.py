"""Refuses requests that a page from elsewhere made a browser send to this computer.

Such a page has the browser look up its own name anew (DNS rebinding), and then speaks to the server
as if that were its own. The header Host still has the page's name.
"""

from collections.abc import Collection, Sequence
from ipaddress import ip_address
from typing import Optional

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

THIS_COMPUTER = ("localhost", "127.0.0.1", "::1")


class OnlyHosts:
    """Passes on requests for the given hosts, and for this computer.

    # Parameters

    app : `ASGIApp`
    hosts : `Collection[str]`
        Names or addresses, without a port.
    """

    def __init__(self, app: ASGIApp, hosts: Collection[str]) -> None:
        self.app = app
        self.hosts = {host.lower() for host in (*hosts, *THIS_COMPUTER)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        given = [value for name, value in scope.get("headers", ()) if name == b"host"]
        strange = [host for host in map(host_of, given) if host not in self.hosts]
        if not strange:
            await self.app(scope, receive, send)
            return
        reason = f"requests for the host {strange[0][:100]!r} are not answered: start the server"
        refused = JSONResponse({"error": f"{reason} with --allow-host to change that"}, 403)
        await refused(scope, receive, send)


def host_of(header: bytes) -> str:
    """The host in a header, without the port.

    >>> host_of(b"Example.org:8000"), host_of(b"[::1]:8000"), host_of(b"127.0.0.1")
    ('example.org', '::1', '127.0.0.1')
    """
    host = header.decode("latin-1").strip().lower()
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0]


def hosts(name: str, address: str, allowed: Sequence[str] = ()) -> Optional[list[str]]:
    """The hosts of a server that listens at an address, or nothing if it need not care.

    That is, if others can reach it: then they need no browser on this computer.

    >>> hosts("localhost", "::1"), hosts("0.0.0.0", "0.0.0.0")
    (['localhost', '::1'], None)
    >>> hosts("0.0.0.0", "0.0.0.0", ["parser.example.org"])
    ['parser.example.org', '0.0.0.0', '0.0.0.0']
    """
    if allowed or ip_address(address.partition("%")[0]).is_loopback:
        return [*allowed, name, address]
    return None
