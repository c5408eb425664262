"""A thousand simulated validations: the pool estimate is right, the unweighted one is not."""

import numpy as np
import pytest

from bench import judged

pytestmark = pytest.mark.timeout(600)  # 1,000 studies: 15 s, more on a busy machine


@pytest.fixture(scope="module")
def studies():
    return np.array(list(judged.studies(1000)), float)


def test_interval_of_the_pool_estimate_holds_the_truth_in_nine_of_ten_studies(studies):
    assert studies[:, 0].mean() >= 0.90


@pytest.mark.long
def test_pool_estimate_is_unbiased_and_the_plain_one_far_off(studies):
    pool, plain = studies[:, 2], studies[:, 3]
    assert abs(pool.mean()) < 0.02
    assert plain.mean() > 0.15


@pytest.mark.long
def test_interval_of_the_plain_alpha_misses_the_truth_mostly(studies):
    assert studies[:, 1].mean() < 0.5
