"""python -m app.cli: the same as the command `hjstudy`."""

from app.cli import main

main()
