#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
#
# ratios.py FILE "NAME=A/B[<=LIMIT] ...": median of the per-row ratios of columns
# A and B with the order-statistic interval of the median (at least 95 %), one
# line a ratio: name median low high limit ok|not_ok|-
import math
import sys


def interval(n):
    """Smallest symmetric ranks whose coverage of the median is >= 95 %."""
    for low in range(n // 2, 0, -1):
        covered = sum(math.comb(n, i) for i in range(low, n - low + 1)) / 2**n
        if covered >= 0.95:
            return low, n - low + 1
    return 1, n


def main():
    rows = [[float(x) for x in line.split()] for line in open(sys.argv[1])]
    for word in sys.argv[2].split():
        name, spec = word.split("=", 1)
        columns, _, limit = spec.partition("<=")
        a, b = (int(c) for c in columns.split("/"))
        ratios = sorted(row[a] / row[b] for row in rows)
        n = len(ratios)
        low, high = interval(n)
        median = (ratios[(n - 1) // 2] + ratios[n // 2]) / 2
        verdict = "-" if not limit else "ok" if median <= float(limit) else "not_ok"
        print(f"{name} {median:.3f} {ratios[low - 1]:.3f} {ratios[high - 1]:.3f} {limit or '-'} {verdict}")


main()
