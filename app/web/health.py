"""The front page, the health check, and htmx from the installed package."""

import gzip
from functools import lru_cache

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from app.web.deps import Now, ServerParts
from app.web.forgetting import forget_erased
from app.web.pages import HTMX_PATH, Page, local_htmx, render
from app.web.peer import PROXY

router = APIRouter()


@router.get("/healthz")
def health(request: Request, server: ServerParts, now: Now) -> Response:
    """Report whether the database takes a write; 503 if not. `X-Proxy` is for `hjstudy doctor`."""
    if server.pulse.check(now):
        forget_erased(server)
    return JSONResponse({"ok": True}, headers={"X-Proxy": request.scope.get(PROXY, "none")})


@router.get("/")
def front_door(request: Request) -> Response:
    """Say what this server is, without listing its studies."""
    m = {
        "heading": "Hero’s Journey studies",
        "paragraphs": [
            "This server runs studies with a short text game.",
            "To take part, open the link you were given. Researchers log in below.",
        ],
        "actions": [{"href": "/admin", "label": "Researchers"}],
        "typed": "",
    }
    return render(request, "errors/message.html", page=Page("front", "Studies"), m=m)


@lru_cache(maxsize=1)
def packed_htmx() -> bytes:
    """Return htmx, compressed once."""
    return gzip.compress(local_htmx(), mtime=0)


@router.get(HTMX_PATH)
def htmx(request: Request) -> Response:
    """Serve htmx from the installed package, whose hash has been checked."""
    headers = {"Cache-Control": "public, max-age=31536000, immutable", "Vary": "Accept-Encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"] = "gzip"
        return Response(packed_htmx(), media_type="text/javascript", headers=headers)
    return Response(local_htmx(), media_type="text/javascript", headers=headers)
