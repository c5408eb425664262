"""Where the program's other files are: its templates, static files and migrations.

In a checkout they are next to `app/`. The wheel has them inside `app/`, in the folder `packed`, so
that an installed package puts nothing else beside other packages (`pyproject.toml`, ADR 13).
"""

from pathlib import Path

APP = Path(__file__).resolve().parent
ROOT = APP.parent
PACKED = APP / "packed"
IS_PACKED = PACKED.is_dir()


def folder(name: str) -> Path:
    """Return the folder `templates`, `static` or `migrations` of this installation."""
    return (PACKED if IS_PACKED else ROOT) / name


def how_to_add(extra: str) -> str:
    """Return the command that adds an optional part, such as `models`, to this installation."""
    if IS_PACKED:
        return f"pip install 'hjstudy[{extra}]'"
    return f".venv/bin/uv pip install -e '.[{extra}]'"
