"""Learning of a process's end."""

import asyncio
import subprocess
import sys

import pytest

from tma.daemon import vigil as module
from tma.daemon.vigil import Vigil


async def ends(process: "subprocess.Popen[bytes]") -> None:
    """The vigil tells of the process's end."""
    told = asyncio.get_running_loop().create_future()
    watch = Vigil(process.pid, 0.01, lambda: told.set_result(None))
    await asyncio.sleep(0)
    assert not told.done()
    process.kill()
    process.wait()
    await asyncio.wait_for(told, 20)
    watch.close()


@pytest.mark.parametrize("timed", [False, True])
def test_the_end_of_a_process_is_told_once(monkeypatch: pytest.MonkeyPatch, *, timed: bool) -> None:
    """DCC-5: by the system, or by asking where it cannot tell."""
    if timed:
        monkeypatch.setattr(module, "_watched", lambda _pid: None)
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    asyncio.run(ends(process))
    assert process.stdin is not None
    process.stdin.close()
