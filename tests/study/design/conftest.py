import pytest

from tests.study.design.packaged import made


@pytest.fixture(scope="module")
def of():
    """Every variant that a test asks for, built once."""
    known = {}

    def get(task, seed=0):
        if (task, seed) not in known:
            known[task, seed] = made(task, seed)
        return known[task, seed]

    return get
