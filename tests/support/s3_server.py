"""An S3 server with conditional writes: moto's, in this process."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    import s3fs


@contextmanager
def s3_server() -> Iterator[s3fs.S3FileSystem]:
    """Start a server, and let clients of this process and its children find it; yields a client without a cache."""
    import s3fs  # noqa: PLC0415 - each worker collects all tests
    from moto import backends  # noqa: PLC0415
    from moto.server import ThreadedMotoServer  # noqa: PLC0415
    from werkzeug.serving import WSGIRequestHandler  # noqa: PLC0415

    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer("127.0.0.1", port=0, verbose=False)
    server.start()
    _, port = server.get_host_and_port()
    s3fs.S3FileSystem.clear_instance_cache()  # clients of another server
    with pytest.MonkeyPatch.context() as patch:
        # As S3 does, keep connections: one for each request takes a thread and a handshake.
        patch.setattr(WSGIRequestHandler, "protocol_version", "HTTP/1.1")
        modules = tuple(backends.list_of_moto_modules())  # moto looks into its folder at each request
        patch.setattr(backends, "list_of_moto_modules", lambda: modules)
        for name, value in {
            "AWS_ACCESS_KEY_ID": "testing",
            "AWS_SECRET_ACCESS_KEY": "testing",
            "AWS_DEFAULT_REGION": "us-east-1",
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}",
        }.items():
            patch.setenv(name, value)
        yield s3fs.S3FileSystem(use_listings_cache=False, skip_instance_cache=True)
    server.stop()
