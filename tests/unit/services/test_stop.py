"""Signals noted, obeyed later, and given back."""

import os
import signal

import pytest

from tma.services.stop import Stop, StoppedError


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_is_obeyed_at_the_next_check(number: signal.Signals) -> None:
    """ACT-SEQ-4: 128 and its number; the first one counts."""
    # Whoever runs the tests may ignore it, as a shell does for what it runs in the background.
    before = signal.signal(number, signal.SIG_DFL)
    try:
        with Stop() as stop:
            stop.check()
            os.kill(os.getpid(), number)
            os.kill(os.getpid(), signal.SIGTERM)
            with pytest.raises(StoppedError) as caught:
                stop.check()
        assert caught.value.code == 128 + number
        assert signal.getsignal(number) == signal.SIG_DFL
    finally:
        signal.signal(number, before)


def test_an_ignored_signal_stays_ignored() -> None:
    """A command under ``nohup`` goes on."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with Stop() as stop:
            os.kill(os.getpid(), signal.SIGHUP)
            stop.check()
        assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)
