"""Receive the script's small batches of process data; the answer is always empty."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.study.play import process_data
from app.web.deps import Now, RawForm, ServerParts

router = APIRouter(prefix="/p/{token}")


@router.post("/process")
def store_process_data(
    request: Request, token: str, raw: RawForm, server: ServerParts, now: Now
) -> Response:
    """Store the readable part of a batch."""
    page = request.query_params.get("page", "")
    agent = request.headers.get("user-agent", "")
    process_data.store_batch(server.store, token, page, raw.get("events", ""), agent, now)
    return Response(status_code=204)
