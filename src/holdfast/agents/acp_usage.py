"""What a run has cost, from what its agent tells of its session: pure.

ACP's figure is the session's total. A session that was taken up brings along what its earlier runs have cost, which is
not this run's.
"""

# Money is told with fewer digits than this; what a subtraction adds behind them is noise.
_DIGITS = 9


class Cost:
    """`usd` is None until the run's part is known."""

    def __init__(self) -> None:
        self.usd: float | None = None
        self.is_taken_up = False
        self._before: float | None = None
        self._total = 0.0
        self._counted = 0.0

    def told(self, total: float, *, is_working: bool) -> None:
        """The session's total. In a session with a past, what is told before the prompt is what the past has cost; if
        nothing was, the first figure must do for that. A total that falls means that the agent counts anew."""
        if self.is_taken_up and (self._before is None or not is_working):
            self._before = self._total = total
            return
        if total < self._total:
            self._counted += self._total - (self._before or 0.0)
            self._before = 0.0
        self._total = total
        self.usd = round(self._counted + total - (self._before or 0.0), _DIGITS)
