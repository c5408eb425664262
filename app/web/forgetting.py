"""What a server process forgets when data were erased, by itself or by another process."""

from app.web.deps import Server, ServerParts


def forget_erased(server: ServerParts) -> None:
    """Forget what was built from data that any process has erased since the last call.

    Every page that shows something built begins with this, and so does the health check, for
    processes that nobody asks for such a page.
    """
    with server.store.read() as db:
        news = server.erasures.news(db)
    if news.deleted:
        forget_studies(server)
    elif news.erased:
        forget_built(server)


def forget_built(server: Server) -> None:
    """Forget the reports."""
    for forget in server.built:
        forget()


def forget_studies(server: Server) -> None:
    """Forget everything about studies; SQLite gives the row ids of a deleted one to others."""
    server.library.forget()
    server.table.live.forget()
    server.watching.forget()
    forget_built(server)
