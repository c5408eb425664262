"""HTTP only: routes, pages, errors, security headers. Decisions are made in app/study."""
