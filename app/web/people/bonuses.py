"""Recording which bonuses were sent, from the file that was sent."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.study.people import bonuses, sent_file
from app.web.deps import Now, Researcher, ServerParts
from app.web.people.recruitment import recruit_page
from app.web.researcher import find_study
from app.web.uploads import FileForm

router = APIRouter(prefix="/admin/studies/{slug}")


@router.post("/recruit/bonus/sent")
def record_sent(
    request: Request, slug: str, raw: FileForm, server: ServerParts, account: Researcher, now: Now
) -> Response:
    """Record everyone in a file of bonuses as sent, once; the same file again changes nothing."""
    study = find_study(server, slug)
    text, ticket = raw.get("text", ""), raw.get("ticket", "")
    try:
        found = bonuses.record_sent(server.store, study.id, account.id, text, ticket, now)
    except sent_file.BonusFileError as error:
        return recruit_page(
            request, server, account, study, 422, error=error.message, field="sent-file"
        )
    before = f" {found.before} had been recorded before." if found.before else ""
    notice = f"Bonuses recorded as sent: {found.new}. bonus.csv leaves them out.{before}"
    return recruit_page(request, server, account, study, notice=notice)
