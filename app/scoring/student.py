"""How far out an interval must reach when few players, authors or items stand behind it.

A bootstrap draws from n units as if they were everyone, so its replicates spread too little, by
sqrt((n - 1) / n), and its percentiles are those of a normal distribution where Student's t is due.
The expanded percentile interval (Hesterberg, 2015, What Teachers Should Know About the Bootstrap)
mends both: instead of 2.5 % it leaves out Phi(-reach), where reach = sqrt(n / (n - 1)) x t.
"""

import math
from functools import cache

MIDDLE = 0.975  # of Student's t: 2.5 % lie above
CLOSE = 1e-15
MOST_STEPS = 500
MANY = 1e7  # degrees of freedom from which t is normal to ten digits
NORMAL = 1.959963984540054


def reach(units: float) -> float:
    """Return the reach for a bootstrap that draws `units` (> 1; need not be whole) of as many."""
    return math.sqrt(units / (units - 1)) * quantile(units - 1)


def tail(reach_: float) -> float:
    """Return the share of a normal distribution below -reach."""
    return math.erfc(reach_ / math.sqrt(2)) / 2


@cache
def quantile(freedom: float) -> float:
    """Return the 97.5 % quantile of Student's t with `freedom` >= 1 degrees of freedom."""
    if freedom > MANY:
        return NORMAL
    low, high = 1.9, 13.0  # bisection: the share above falls as t rises
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if above(middle, freedom) > 1 - MIDDLE else (low, middle)
    return high


def above(t: float, freedom: float) -> float:
    """Return the share of Student's t above t > 0, half of I(f / (f + t^2); f / 2, 1 / 2)."""
    x = freedom / (freedom + t * t)
    return incomplete_beta(x, freedom / 2, 0.5) / 2


def incomplete_beta(x: float, a: float, b: float) -> float:
    """Return the regularised incomplete beta function (its continued fraction, Lentz)."""
    front = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    )
    if x > (a + 1) / (a + b + 2):
        return 1 - front * _fraction(1 - x, b, a) / b
    return front * _fraction(x, a, b) / a


def _fraction(x: float, a: float, b: float) -> float:
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    value = d
    for m in range(1, MOST_STEPS):
        before = value
        even = m * (b - m) * x / ((a - 1 + 2 * m) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 1 + 2 * m))
        for top in (even, odd):
            d, c = 1 / (1 + top * d), 1 + top / c
            value *= c * d
        if abs(value - before) < CLOSE * value:
            break
    return value
