"""Parts of steps as a GPU sees them: an event beside each note, read after the window.

The host runs ahead of the GPU: its notes say when work was asked for, not when it was done. To
wait for the GPU at each note would change what is measured; an event only marks a place in its
queue. The first steps of the window are enough, for an event costs microseconds.
"""
from . import models, session
from . import ring as rings

_MOST_EVENTS = 2000
_PARTS = {rings.ASK: "data_wait_ns", rings.GOT: "transfer_ns", rings.CALL: "forward_ns",
          rings.BACK: "backward_ns", rings.BACK_END: "other_ns", rings.GRAD: "backward_ns",
          rings.STEP: "optimizer_ns", rings.STEP_END: "other_ns", rings.CLEAR: "optimizer_ns"}
_WITHIN = (rings.CLEAR, rings.GRAD)  # what was before them continues after them
_RESUMES = (rings.CLEAR_END, rings.GRAD_END)
_NEED_GRADIENTS = (rings.GOT, rings.CALL)  # else it is evaluation, and the step is left out
_OUTSIDE = (rings.ITERATE, rings.END, rings.SAVE)  # between epochs, checkpoints: no part of a step
_BORDERS = frozenset(_PARTS).union(_RESUMES, _OUTSIDE, (rings.SAVE_END,))

summed = None  # for the facts
_events = []  # (kind, flags, event)
_ring = None  # that was there before


class _RingWithEvents:
    def __init__(self, ring, make):
        self.ring, self.page, self.make, self.is_full = ring, ring.page, make, False

    def tick(self, kind, subject=0, flags=0, number=0):
        note, mark = self.ring.tick(kind, subject, flags, number), self._mark
        if kind not in _BORDERS:
            return note

        def noted():
            note()
            mark(kind, flags)

        return noted

    def note(self, kind, subject=0, flags=0, number=0):
        self.ring.note(kind, subject, flags, number)
        if kind in _BORDERS:
            self._mark(kind, flags)

    def _mark(self, kind, flags):
        if self.is_full:
            return
        try:
            event = self.make(enable_timing=True)
            event.record()
        except Exception as problem:  # within a CUDA graph that is captured
            session.note_problem("event", problem)
            event = None
        _events.append((kind, flags, event))
        if event is None or len(_events) >= _MOST_EVENTS:
            self.is_full = True
            session.pending.append(_stop)


def begin():
    """The window begins. Does nothing where nothing is trained on a GPU."""
    global _ring
    make = getattr(session.torch.cuda, "Event", None)
    if make is None or _ring is not None or not session.spec.get("parts", True) or not _is_on_gpu():
        return
    _ring = session.ring
    session.ring = _RingWithEvents(_ring, make)
    session.bind()


def _is_on_gpu():
    cuda = session.torch.cuda
    if not (cuda.is_available() and cuda.is_initialized()):
        return False
    first = next((p for root in models.trained() for p in root.parameters()), None)
    return first is not None and first.device.type == "cuda"


def _stop():
    if isinstance(session.ring, _RingWithEvents):
        session.ring = _ring
        session.bind()


def end():
    """The window has ended, and the GPU has done all that was asked of it. Whether there are parts."""
    global summed
    _stop()
    if _events and summed is None:
        summed = _sums([event for event in _events if event[2] is not None])
        del _events[:]
    return summed is not None


def _sums(events):
    """{"steps": ..., "data_wait_ns": ..., ...} of whole steps; None without one."""
    begins = rings.ASK if any(kind == rings.ASK for kind, _, _ in events) else rings.CALL
    names = sorted(set(_PARTS.values()))
    sums, steps = dict.fromkeys(names, 0.0), 0
    step = None  # that is read; None until one begins
    part, has_stepped, is_whole = "other_ns", False, True
    for (kind, flags, event), (_, _, following) in zip(events, events[1:]):
        if kind == begins and (has_stepped or step is None):
            if step is not None and is_whole:
                steps += 1
                sums = {name: sums[name] + step[name] for name in names}
            step, has_stepped, is_whole = dict.fromkeys(names, 0.0), False, True
        has_stepped = has_stepped or kind == rings.STEP_END
        is_whole = is_whole and (kind not in _NEED_GRADIENTS or bool(flags))
        name = part if kind in _RESUMES else None if kind in _OUTSIDE \
            else _PARTS.get(kind, "other_ns")
        if kind not in _WITHIN:
            part = name
        if step is not None and name is not None:
            step[name] += max(0.0, event.elapsed_time(following)) * 1e6  # from ms
    if not steps:
        return None
    return dict({name: int(length) for name, length in sums.items()}, steps=steps)
