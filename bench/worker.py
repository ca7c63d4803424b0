"""Runs programs for the benchmark inside a pane, where hooks run, and tells what each cost.

A request is a line of JSON, ``[argv, environment, standard input]``; the answer ``[wall ms, processor ms,
tmux server ms, exit code]``. The processor time is the program's and that of what it waited for.
"""

import json
import os
import sys
import time

_NULL = os.open(os.devnull, os.O_WRONLY)


def cost(argv: list[str], env: dict[str, str], text: str, server: int) -> list[float]:
    """Run a program to its end, its output discarded."""
    reading, writing = os.pipe()
    os.write(writing, text.encode())
    os.close(writing)
    actions = [(os.POSIX_SPAWN_DUP2, reading, 0), (os.POSIX_SPAWN_DUP2, _NULL, 1), (os.POSIX_SPAWN_DUP2, _NULL, 2)]
    before = server_ms(server)
    start = time.perf_counter()
    pid = os.posix_spawn(argv[0], argv, env, file_actions=actions)
    _, status, used = os.wait4(pid, 0)
    wall = time.perf_counter() - start
    os.close(reading)
    spent = (used.ru_utime + used.ru_stime) * 1000
    return [wall * 1000, spent, server_ms(server) - before, os.waitstatus_to_exitcode(status)]


def server_ms(pid: int) -> float:
    """Processor time of the tmux server so far; 0 where the system does not tell it so finely."""
    try:
        with open(f"/proc/{pid}/schedstat") as file:  # noqa: PTH123
            return int(file.read().split()[0]) / 1e6
    except OSError:
        return 0.0


def main() -> None:
    """Answer until the requests end."""
    requests, answers, server = sys.argv[1:]
    with open(requests) as incoming, open(answers, "w", buffering=1) as outgoing:  # noqa: PTH123
        for line in incoming:
            argv, env, text = json.loads(line)
            print(json.dumps(cost(argv, env, text, int(server))), file=outgoing)


if __name__ == "__main__":
    main()
