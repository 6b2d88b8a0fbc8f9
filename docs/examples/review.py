#!/usr/bin/env python3
"""Gives the prepared packet to a reviewer's command, stores its answer and finalizes the review.

    review.py [options] COMMAND [ARGUMENT...]

The command gets the bytes of packet.json on standard input and nothing else: an empty folder to run in, which is also its HOME, and
PATH and LANG as its environment. It prints one JSON object and ends with exit status 0. That is no sandbox: a command that can open
other files or the network must be kept from them by its own harness.

Exit status: 0 accepted; 1 refused, or nothing to review; 2 usage; 3 the reviewer or the file system failed, and nothing was stored;
otherwise that of `code-polishy behavior-review finalize`.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading

FOLDER = ".code-polishy-reports/behavior-review"
LARGEST_RESULT = 256 * 1024
BLANK = " \t\r\n"


class Stop(Exception):
    """Ends the run with an exit status, words and the next step."""

    def __init__(self, status, words, next_step):
        super().__init__(words)
        self.status, self.next_step = status, next_step


def options(arguments):
    parser = argparse.ArgumentParser(usage="review.py [options] COMMAND [ARGUMENT...]")
    parser.add_argument("--base", default="main", metavar="REF", help="the base that the packet was prepared against")
    parser.add_argument("--repo", default=".", metavar="PATH", help="the repository's root")
    parser.add_argument("--polishy", default="code-polishy", metavar="PROGRAM", help="the code-polishy to finalize with")
    parser.add_argument("--pass", dest="passed", action="append", default=[], metavar="NAME", help="a variable that the command needs")
    parser.add_argument("--timeout", type=float, default=3600, metavar="SECONDS", help="how long the command may take")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    parsed = parser.parse_args(arguments)
    if parsed.command[:1] == ["--"]:
        del parsed.command[0]
    if not parsed.command:
        parser.error("name the reviewer's command")
    return parsed


def read_packet(repo, base):
    prepare = f"code-polishy behavior-review prepare --base {base}"
    try:
        with open(os.path.join(repo, FOLDER, "packet.json"), "rb") as file:
            packet = file.read()
    except FileNotFoundError:
        raise Stop(1, "no review is prepared", prepare) from None
    result = json.loads(packet)["result_path"]
    if os.path.normpath(result) != result or os.path.dirname(result) != FOLDER:
        raise Stop(1, f"the packet's result_path {ascii(result)} is not in {FOLDER}", prepare)
    if os.path.lexists(os.path.join(repo, result)):
        raise Stop(1, f"{result} is there already: a packet is reviewed once", f"code-polishy behavior-review finalize --base {base}")
    return packet, result


def ask(command, packet, passed, timeout):
    """What the command prints; its whole process group ends with it, or with the time."""
    with tempfile.TemporaryDirectory(prefix="review-") as empty:
        environment = {name: os.environ[name] for name in ["PATH", "LANG", *passed] if name in os.environ}
        environment["HOME"] = empty
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        try:
            child = subprocess.Popen(command, cwd=empty, env=environment, start_new_session=True, **pipes)
        except OSError as error:
            raise Stop(3, f"the reviewer does not start: {error}", "mend the command") from None
        late = threading.Event()
        timer = threading.Timer(timeout, lambda: (late.set(), end(child)))
        writer = threading.Thread(target=feed, args=(child.stdin, packet), daemon=True)
        timer.start()
        writer.start()
        try:
            answer = child.stdout.read(LARGEST_RESULT + 1)
            if len(answer) > LARGEST_RESULT:
                raise Stop(3, f"the reviewer prints more than {LARGEST_RESULT} bytes", "have it print the result alone")
            status = child.wait()
        finally:
            timer.cancel()
            end(child)
            child.wait()
    if late.is_set():
        raise Stop(3, f"the reviewer took longer than {timeout:g} s", "give it more time with --timeout")
    if status != 0:
        raise Stop(3, f"the reviewer ended with exit status {status}", "mend the command")
    return answer


def feed(pipe, packet):
    try:
        with pipe:
            pipe.write(packet)
    except BrokenPipeError:
        pass  # a command that needs no more of the packet may close it


def end(child):
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass  # it has ended


def one_object(answer):
    """Refuses everything but exactly one JSON object; what it holds is for finalize to judge."""
    again = "have the harness return the reviewer's JSON object and nothing around it"
    if not answer.strip(BLANK.encode()):
        raise Stop(3, "the reviewer printed nothing", again)
    try:
        text = answer.decode("utf-8").strip(BLANK)
        value, length = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError) as error:
        raise Stop(3, f"the reviewer printed no JSON: {error}", again) from None
    if text[length:]:
        raise Stop(3, f"the reviewer printed something after its first JSON value, at character {length}", again)
    if not isinstance(value, dict):
        raise Stop(3, "the reviewer printed JSON that is no object", again)


def store(path, answer):
    """Whole or not at all, and never over another result."""
    descriptor, temporary = tempfile.mkstemp(dir=os.path.dirname(path), prefix=".result-")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(answer)
            file.flush()
            os.fsync(file.fileno())
        os.link(temporary, path)
    finally:
        os.unlink(temporary)


def run(arguments):
    given = options(arguments)
    packet, result = read_packet(given.repo, given.base)
    answer = ask(given.command, packet, given.passed, given.timeout)
    one_object(answer)
    store(os.path.join(given.repo, result), answer)
    return subprocess.run([given.polishy, "behavior-review", "finalize", "--base", given.base], cwd=given.repo).returncode


def main():
    try:
        return run(sys.argv[1:])
    except Stop as stop:
        print(f"review.py: {stop}\nNEXT: {stop.next_step}", file=sys.stderr)
        return stop.status
    except (OSError, ValueError, KeyError) as error:
        print(f"review.py: {error!a}", file=sys.stderr)
        return 3
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
