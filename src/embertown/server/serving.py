"""Running the application: one process, one loop, one port."""

from __future__ import annotations

import uvicorn

from embertown.server.app import create_guarded_app
from embertown.server.messages import MAX_MESSAGE
from embertown.server.settings import Settings

STOP_WITHIN = 10
"""Seconds for open requests when the server is asked to stop."""


def make_server(settings: Settings) -> uvicorn.Server:
    """The server, not yet started. Messages are small and many: compressing them would cost most of the time."""
    return uvicorn.Server(
        uvicorn.Config(
            create_guarded_app(settings),
            host=settings.host,
            port=settings.port,
            ws="websockets-sansio",
            ws_max_size=2 * MAX_MESSAGE,
            ws_per_message_deflate=False,
            access_log=False,
            log_level="warning",
            log_config=None,
            server_header=False,
            proxy_headers=bool(settings.trusted_proxies),
            forwarded_allow_ips=settings.trusted_proxies or None,
            timeout_graceful_shutdown=STOP_WITHIN,
        )
    )
