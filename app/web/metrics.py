"""What the site does, in numbers: how long each route takes, told to the browser in `Server-Timing` and to Prometheus at `/metrics`."""

from time import perf_counter

from prometheus_client import CollectorRegistry, Gauge, Histogram, PlatformCollector, ProcessCollector, generate_latest
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

BUCKETS_S = (0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0, 2.5, 5.0, 10.0)
UNKNOWN_ROUTE = "none"


class Metrics:
    """The numbers of one web process; Prometheus adds those of several."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        PlatformCollector(registry=self.registry)
        self.seconds = Histogram(
            "gpuplan_request_seconds",
            "Time until a response is ready to be sent, by route, method and status",
            ("route", "method", "status"),
            buckets=BUCKETS_S,
            registry=self.registry,
        )
        self.running = Gauge("gpuplan_requests_running", "Requests that are being answered", registry=self.registry)

    def text(self) -> bytes:
        """Everything, as Prometheus reads it."""
        return generate_latest(self.registry)


class MetricsMiddleware:
    """Outermost, so that what the other layers take counts, too."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self.app = app
        self.metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = perf_counter()

        async def timing_send(sent: Message) -> None:
            if sent["type"] == "http.response.start":
                taken_s = perf_counter() - started
                MutableHeaders(scope=sent)["Server-Timing"] = f"app;dur={taken_s * 1e3:.1f}"
                labels = (route_name(scope), scope["method"], str(sent["status"]))
                self.metrics.seconds.labels(*labels).observe(taken_s)
            await send(sent)

        with self.metrics.running.track_inprogress():
            await self.app(scope, receive, timing_send)


def route_name(scope: Scope) -> str:
    """The name of the route that answers. Never the address: a label for each project would have no end."""
    name = getattr(scope.get("route"), "name", None)
    if name is None and scope.get("root_path", "").endswith("/static"):
        name = "static"
    return str(name) if name else UNKNOWN_ROUTE
