"""An annotator's own account: the same page as a researcher's, without single sign-on."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.web.deps import Annotator, Now, RawForm, ServerParts
from app.web.people import own_account

router = APIRouter(prefix="/rate/account")


@router.get("")
def show_account(request: Request, server: ServerParts, account: Annotator, now: Now) -> Response:
    """Show the account's logins and its second factor."""
    return own_account.account_page(request, server, account, now)


@router.post("/logins")
def end_logins(request: Request, raw: RawForm, server: ServerParts, account: Annotator) -> Response:
    """End one login, or all others."""
    return own_account.ended(request, raw, server, account)


@router.post("/second-factor")
def turn_on(
    request: Request, raw: RawForm, server: ServerParts, account: Annotator, now: Now
) -> Response:
    """Turn the second factor on, and show the recovery codes once."""
    return own_account.turned_on(request, raw, server, account, now)


@router.post("/second-factor/off")
def turn_off(
    request: Request, raw: RawForm, server: ServerParts, account: Annotator, now: Now
) -> Response:
    """Turn the second factor off."""
    return own_account.turned_off(request, raw, server, account, now)
