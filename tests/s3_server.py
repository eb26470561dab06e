"""A small S3 server for tests: objects in memory, listing, deletion, uploads in parts, and checked signatures."""

import hashlib
import hmac
import re
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qsl, quote, unquote, urlsplit
from xml.sax.saxutils import escape

KEY, SECRET, BUCKET = "test-key", "test-secret", "files"


@dataclass
class S3Bucket:
    """What the server holds: objects by key, and uploads whose parts are not joined yet."""

    address: str = ""
    objects: dict[str, bytes] = field(default_factory=dict[str, bytes])
    uploads: dict[str, dict[int, bytes]] = field(default_factory=dict[str, dict[int, bytes]])
    refused: int = 0


@contextmanager
def serve_s3() -> Generator[S3Bucket]:
    """Serve an empty bucket at an address of loopback."""
    bucket = S3Bucket()

    class BucketHandler(S3Handler):
        held = bucket

    server = ThreadingHTTPServer(("127.0.0.1", 0), BucketHandler)
    bucket.address = f"http://127.0.0.1:{server.server_port}"
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield bucket
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class S3Handler(BaseHTTPRequestHandler):
    """Answers the requests that `obstore` makes."""

    protocol_version = "HTTP/1.1"
    held: S3Bucket

    def handle_request(self) -> None:
        url = urlsplit(self.path)
        query = dict(parse_qsl(url.query, keep_blank_values=True))
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        if not self.is_signed(url.path, url.query, body):
            self.held.refused += 1
            return self.answer(403, b"<Error><Code>SignatureDoesNotMatch</Code></Error>")
        bucket, _, key = unquote(url.path).removeprefix("/").partition("/")
        if bucket != BUCKET:
            return self.answer(404, b"<Error><Code>NoSuchBucket</Code></Error>")
        return getattr(self, f"on_{self.command.lower()}")(key, query, body)

    do_GET = do_PUT = do_POST = do_DELETE = do_HEAD = handle_request  # noqa: N815 names that the base class calls

    def on_get(self, key: str, query: dict[str, str], body: bytes) -> None:
        objects = self.held.objects
        if not key:
            found = sorted(name for name in objects if name.startswith(query.get("prefix", "")))
            entries = "".join(
                f"<Contents><Key>{escape(name)}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified>"
                f"<Size>{len(objects[name])}</Size></Contents>"
                for name in found
            )
            listing = f"<ListBucketResult><IsTruncated>false</IsTruncated>{entries}</ListBucketResult>"
            return self.answer(200, listing.encode())
        if key not in objects:
            return self.answer(404, b"<Error><Code>NoSuchKey</Code></Error>")
        return self.answer(200, objects[key])

    on_head = on_get

    def on_put(self, key: str, query: dict[str, str], body: bytes) -> None:
        if "uploadId" in query:
            self.held.uploads[query["uploadId"]][int(query["partNumber"])] = body
        else:
            self.held.objects[key] = body
        self.answer(200)

    def on_post(self, key: str, query: dict[str, str], body: bytes) -> None:
        if "uploads" in query:
            upload = str(len(self.held.uploads) + 1)
            self.held.uploads[upload] = {}
            made = f"<InitiateMultipartUploadResult><UploadId>{upload}</UploadId></InitiateMultipartUploadResult>"
            return self.answer(200, made.encode())
        if "uploadId" in query:
            parts = self.held.uploads.pop(query["uploadId"])
            self.held.objects[key] = b"".join(parts[number] for number in sorted(parts))
            done = b"<CompleteMultipartUploadResult><ETag>e</ETag></CompleteMultipartUploadResult>"
            return self.answer(200, done)
        gone = re.findall(r"<Key>(.*?)</Key>", body.decode())
        for name in gone:
            self.held.objects.pop(name, None)
        told = "".join(f"<Deleted><Key>{name}</Key></Deleted>" for name in gone)
        return self.answer(200, f"<DeleteResult>{told}</DeleteResult>".encode())

    def on_delete(self, key: str, query: dict[str, str], body: bytes) -> None:
        self.held.objects.pop(key, None)
        self.answer(204)

    def is_signed(self, path: str, query: str, body: bytes) -> bool:
        """Whether the request carries the signature that the secret gives (AWS Signature Version 4)."""
        stated = re.match(
            r"AWS4-HMAC-SHA256 Credential=(\S+?)/(\d+)/(\S+?)/s3/aws4_request, ?SignedHeaders=(\S+?), ?Signature=(\w+)",
            self.headers.get("authorization", ""),
        )
        payload = self.headers.get("x-amz-content-sha256", "")
        if not stated or stated[1] != KEY or payload not in ("UNSIGNED-PAYLOAD", hashlib.sha256(body).hexdigest()):
            return False
        _, day, region, names, signature = stated.groups()
        pairs = sorted((quote(n, safe="-_.~"), quote(v, safe="-_.~")) for n, v in parse_qsl(query, True))
        lines = [f"{name}:{' '.join((self.headers.get(name) or '').split())}" for name in names.split(";")]
        asked = [self.command, path, "&".join(f"{n}={v}" for n, v in pairs), *lines, "", names, payload]
        digest = hashlib.sha256("\n".join(asked).encode()).hexdigest()
        scope = f"{day}/{region}/s3/aws4_request"
        text = f"AWS4-HMAC-SHA256\n{self.headers['x-amz-date']}\n{scope}\n{digest}"
        secret = f"AWS4{SECRET}".encode()
        for part in (day, region, "s3", "aws4_request"):
            secret = hmac.digest(secret, part.encode(), "sha256")
        return hmac.compare_digest(hmac.digest(secret, text.encode(), "sha256").hex(), signature)

    def answer(self, status: int, body: bytes = b"") -> None:
        self.send_response(status)
        self.send_header("content-length", str(len(body)))
        self.send_header("last-modified", "Thu, 01 Jan 2026 00:00:00 GMT")
        self.send_header("etag", '"e"')
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        pass
