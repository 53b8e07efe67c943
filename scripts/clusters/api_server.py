"""A stand-in for a Kubernetes API server: HTTPS, a bearer token, and the requests of Spark's Kubernetes backend.

Watches are answered as chunked JSON lines. A client that asks for one by a WebSocket is refused (503), as by a proxy
that knows none; fabric8's client then asks in the plain way.
"""

from __future__ import annotations

import json
import re
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from .api_objects import KINDS, ApiObjects, Object, RefusedError

_PATH = re.compile(r"/api/v1(?:/namespaces/([\w.-]+))?/(\w+)(?:/([\w.-]+))?")
_MERGES = {"application/merge-patch+json", "application/strategic-merge-patch+json"}
_WATCH_SECONDS = 1800.0


@contextmanager
def api_server(objects: ApiObjects, folder: Path, token: str) -> Iterator[tuple[str, Path]]:
    """Serve objects on localhost to those who know a token; gives the address and the certificate to trust."""
    key, certificate = folder / "server.key", folder / "server.pem"
    words = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1"]
    words += ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(key), "-out", str(certificate)]
    subprocess.run(words, check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    asked = (folder / "api.log").open("w", buffering=1)

    class Bound(_Requests):
        held, secret, log = objects, token, asked

    server = ThreadingHTTPServer(("127.0.0.1", 0), Bound)
    server.daemon_threads = True
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"https://127.0.0.1:{server.server_port}", certificate
    finally:
        server.shutdown()


class _Requests(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    held: ApiObjects
    secret: str
    log: object

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        print(format % args, self.headers.get("Upgrade", ""), file=self.log)  # type: ignore[call-overload]

    def do_GET(self) -> None:
        self._answer()

    do_POST = do_PUT = do_PATCH = do_DELETE = do_GET  # noqa: N815 - names of the base class

    def _answer(self) -> None:
        url = urlsplit(self.path)
        query = {name: values[-1] for name, values in parse_qs(url.query).items()}
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        try:
            namespace, resource, name = self._place(url.path)
            if query.get("watch") == "true":
                self._watch(resource, namespace, query)
                return
            code, said = self._done(namespace, resource, name, query, json.loads(body or b"{}"))
        except RefusedError as error:
            code = error.code
            said = {"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": code, "message": str(error)}
        text = json.dumps(said).encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def _place(self, path: str) -> tuple[str | None, str, str | None]:
        """Namespace, resource and name that a request is about, if whoever asks may."""
        if self.headers.get("Authorization") != f"Bearer {self.secret}":
            raise RefusedError(401, "Unauthorized")
        match = _PATH.fullmatch(path)
        if not match or match[2] not in KINDS:
            raise RefusedError(404, f"this stand-in has no {path}")
        return match[1], match[2], match[3]

    def _done(
        self, namespace: str | None, resource: str, name: str | None, query: dict[str, str], body: Object
    ) -> tuple[int, Object]:
        """What a request comes to: HTTP's status and the answer."""
        selector = query.get("labelSelector", "")
        if self.command == "GET" and not name:
            return 200, self._list(resource, self.held.listed(resource, namespace, selector))
        if namespace is None:
            raise RefusedError(405, "which namespace?")
        if self.command == "POST" and not name:
            return 201, self.held.created(resource, namespace, body)
        if self.command == "DELETE" and not name:
            chosen = self.held.listed(resource, namespace, selector)
            keys = [(resource, namespace, str(each["metadata"]["name"])) for each in chosen]
            return 200, self._list(resource, [self.held.deleted(key) for key in keys])
        key = (resource, namespace, name or "")
        if self.command == "GET":
            return 200, self.held.one(key)
        if self.command == "DELETE":
            return 200, self.held.deleted(key)
        if self.command == "PATCH" and self.headers.get("Content-Type", "").partition(";")[0] in _MERGES:
            return 200, self.held.merged(key, body)
        raise RefusedError(415, f"this stand-in does no {self.command} of {self.headers.get('Content-Type')}")

    def _list(self, resource: str, items: list[Object]) -> Object:
        version = {"resourceVersion": str(self.held.version)}
        return {"kind": f"{KINDS[resource]}List", "apiVersion": "v1", "metadata": version, "items": items}

    def _watch(self, resource: str, namespace: str | None, query: dict[str, str]) -> None:
        if self.headers.get("Upgrade"):
            raise RefusedError(503, "this stand-in speaks no WebSocket")
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        selector, since = query.get("labelSelector", ""), int(query.get("resourceVersion") or 0)
        seconds = float(query.get("timeoutSeconds") or _WATCH_SECONDS)
        with suppress(OSError):  # the client has gone
            for event in self.held.events(resource, namespace, selector, since, seconds):
                if event:
                    line = json.dumps({"type": event.type, "object": event.object}).encode() + b"\n"
                    self.wfile.write(b"%x\r\n%b\r\n" % (len(line), line))
            self.wfile.write(b"0\r\n\r\n")
