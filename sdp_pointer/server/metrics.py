"""What the server has done, in the text format of Prometheus: `/metrics`."""

import time
from collections import Counter, defaultdict
from collections.abc import Iterator

from starlette.types import ASGIApp, Message, Receive, Scope, Send


class Metrics:
    """Requests that were answered, by path and status, and how long that took.

    >>> metrics = Metrics()
    >>> metrics.add("/parse", 200, 0.25)
    >>> print(metrics.text(waiting=3))
    # TYPE sdp_pointer_requests_total counter
    sdp_pointer_requests_total{path="/parse",status="200"} 1
    # TYPE sdp_pointer_request_seconds summary
    sdp_pointer_request_seconds_sum{path="/parse"} 0.250
    sdp_pointer_request_seconds_count{path="/parse"} 1
    # TYPE sdp_pointer_waiting gauge
    sdp_pointer_waiting 3
    <BLANKLINE>
    """

    def __init__(self) -> None:
        self._requests: Counter[tuple[str, int]] = Counter()
        self._seconds: dict[str, float] = defaultdict(float)

    def add(self, path: str, status: int, seconds: float) -> None:
        self._requests[path, status] += 1
        self._seconds[path] += seconds

    def text(self, **gauges: int) -> str:
        """All of it, with the given values of the moment."""
        return "".join(f"{line}\n" for line in self._lines(gauges))

    def _lines(self, gauges: dict[str, int]) -> Iterator[str]:
        yield "# TYPE sdp_pointer_requests_total counter"
        for (path, status), number in sorted(self._requests.items()):
            yield f'sdp_pointer_requests_total{{path="{path}",status="{status}"}} {number}'
        yield "# TYPE sdp_pointer_request_seconds summary"
        for path, seconds in sorted(self._seconds.items()):
            number = sum(n for (of, _), n in self._requests.items() if of == path)
            yield f'sdp_pointer_request_seconds_sum{{path="{path}"}} {seconds:.3f}'
            yield f'sdp_pointer_request_seconds_count{{path="{path}"}} {number}'
        for name, value in gauges.items():
            yield f"# TYPE sdp_pointer_{name} gauge"
            yield f"sdp_pointer_{name} {value}"


class Counted:
    """Counts every answer of an application."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self.app = app
        self.metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        start = time.monotonic()

        async def send_counted(message: Message) -> None:
            await send(message)
            if message["type"] == "http.response.start":
                # Unknown paths are counted together: there is no end of them.
                path = getattr(scope.get("route"), "path", "other")
                self.metrics.add(path, message["status"], time.monotonic() - start)

        await self.app(scope, receive, send_counted)
