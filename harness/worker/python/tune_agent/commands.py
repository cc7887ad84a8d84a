"""What tune asks of the process that is measured: a byte in the ring's first page, and a number.

    1 mark    verify the knobs once, wait for the GPU, note MARK with the number,
              before and after
    2 record  record steps with torch.profiler, as the spec says; RECORD and RECORD_END are noted
    3 end     end the process; with a number, once its optimizers have made so many steps; with
              -1 at once, without waiting for the other ranks

A command is obeyed where the script asks for a batch, which is between two steps; where it has
none, or has not asked for long, at the beginning of a backward pass.
"""
import struct

from . import ending, facts, gpu_parts, recording, session, worker_curve
from . import ring as rings

MARK, RECORD, END = 1, 2, 3
_LONG = 64  # backward passes: LBFGS has two dozen in a step
_seen_by_backward = 0
_argument = struct.Struct("<q")


def attend_to_asking():
    global _seen_by_backward
    _seen_by_backward = 0
    _run_pending()
    if session.claimed and session.ring.page[rings.COMMAND]:
        session.safely(_obey)


def attend_to_backward():
    global _seen_by_backward
    _run_pending()
    if session.claimed and session.ring.page[rings.COMMAND]:
        _seen_by_backward += 1
        if _seen_by_backward > _LONG or not session.asks:
            session.safely(_obey)


def _run_pending():
    while session.pending:
        session.safely(session.pending.pop(0))


def _obey():
    page = session.ring.page
    command, number = page[rings.COMMAND], _argument.unpack_from(page, rings.ARGUMENT)[0]
    if command == MARK:
        session.ring.note(rings.MARK, 0, rings.BEGINS, number)
        session.safely(worker_curve.measure)
        facts.verify_once()
        session.safely(recording.look_for_profiler)
        synchronize()
        session.safely(_mark_window, number)
        page[rings.COMMAND] = 0
        session.ring.note(rings.MARK, number=number)
    elif command == RECORD:
        recording.record_steps()
    elif command == END:
        ending.end_at(number)
    else:
        page[rings.COMMAND] = 0


def _mark_window(number):
    """Marks 1 and 2 are begin and end of the window. What was counted in it is written at its end."""
    if number == 1:
        gpu_parts.begin()
    else:
        gpu_parts.end()
        facts.write("measuring")


def synchronize():
    cuda = session.torch.cuda
    if cuda.is_available() and cuda.is_initialized():
        cuda.synchronize()
