"""The page, as it was built into `embertown.web`: one document for all its addresses, and the files that it loads.

Addresses with secrets (`/join#TOKEN`, `/join#table=…&watch=TOKEN`) hold them behind the `#`, which is never sent to the
server, so that no log holds a token. What browsers get is told by names alone: a name that is none of a built file
leads nowhere, and no name leads out of the folder.
"""

from __future__ import annotations

import re
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

from fastapi import APIRouter, Request, Response

from embertown.server import packing
from embertown.server.errors import Refused

ADDRESSES = (
    "/",
    "/join",
    "/table/{table}",
    "/new",
    "/open",
    "/mine",
    "/replay",
    "/replay/{table}",
    "/rules",
    "/rules/{game}",
    "/settings",
    "/about",
    "/tutorial",
    "/tutorial/{game}",
)
"""Where the page is found; it looks at the address by itself."""
BUNDLED = "assets"
"""The folder of what was bundled; the other files are copies from web/public."""
METHODS = ["GET", "HEAD"]
INDEX = "index.html"
KINDS = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
}
"""The kinds of files that are served."""
NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]*")
"""Names of files: never hidden, never a way up."""
FOR_EVER = "public, max-age=31536000, immutable"
"""Assets have a digest of their content in their names: what is in one never changes."""
ASK_AGAIN = "no-cache"
NOT_MODIFIED, NOT_FOUND, UNAVAILABLE = 304, 404, 503
NOT_BUILT = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Embertown</title>
<h1>Embertown</h1>
<p>The server runs, but its page has not been built. In a checkout, <code>python3 dev.py setup</code> builds it;
<code>pip install</code> does so by itself unless EMBERTOWN_SKIP_WEB is set.</p>
</html>
"""


class Pages:
    """The folder of a built page, and answers from it."""

    def __init__(self, folder: Path | None = None) -> None:
        """The package's own page, unless another folder is said."""
        self.folder = Path(str(files("embertown.web"))) / "dist" if folder is None else folder

    def index(self, request: Request, status: int = 200) -> Response:
        """The one document; where it has not been built, a sentence that says how it is."""
        answer = self.file(request, INDEX, status=status)
        return answer or Response(NOT_BUILT, UNAVAILABLE, {"cache-control": "no-store"}, KINDS[".html"])

    def file(self, request: Request, *parts: str, caching: str = ASK_AGAIN, status: int = 200) -> Response | None:
        """A built file, gzipped where the browser takes that; None where there is none of that name."""
        kind = KINDS.get(Path(parts[-1]).suffix)
        if kind is None or not all(map(NAME.fullmatch, parts)):
            return None
        path = self.folder.joinpath(*parts)
        packed = path.with_name(f"{path.name}.gz")
        headers = {"cache-control": caching, "vary": "accept-encoding"}
        try:
            if packing.is_wanted(request) and packed.is_file():
                content, headers["content-encoding"] = packed.read_bytes(), "gzip"
            else:
                content = path.read_bytes()
        except OSError:
            return None
        headers["etag"] = f'"{sha256(content).hexdigest()[:32]}"'
        if status == 200 and headers["etag"] in request.headers.get("if-none-match", ""):
            return Response(None, NOT_MODIFIED, headers)
        return Response(content, status, headers, kind)

    def not_found(self, request: Request) -> Response | None:
        """For a person who looks for a page that there is not: the page, which says so; None for programs."""
        wants_page = request.method in METHODS and "text/html" in request.headers.get("accept", "")
        if not wants_page or request.url.path.startswith("/api/"):
            return None
        return self.index(request, NOT_FOUND)


def routes(pages: Pages) -> APIRouter:
    """The routes of the page: to be added last, as any name at the root may be a file's."""
    router = APIRouter(include_in_schema=False)

    def index(request: Request) -> Response:
        return pages.index(request)

    def file(request: Request) -> Response:
        _, folder, name = request.scope["path"].split("/")
        caching = FOR_EVER if folder == BUNDLED else ASK_AGAIN
        return found(pages.file(request, folder, name, caching=caching) or pages.not_found(request))

    def root_file(request: Request, name: str) -> Response:
        return found(pages.file(request, name) or pages.not_found(request))

    router.add_api_route("/{folder}/{name}.{kind}", file, methods=METHODS)
    for address in ADDRESSES:
        router.add_api_route(address, index, methods=METHODS)
    router.add_api_route("/{name}", root_file, methods=METHODS)
    return router


def found(answer: Response | None) -> Response:
    """The answer; nothing is refused."""
    if answer is None:
        raise Refused("not_found", status=NOT_FOUND)
    return answer
