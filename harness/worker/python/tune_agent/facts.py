"""`facts.<rank>.json`: what the agent saw of the script and did in it. It draws no conclusion."""
import json
import os
import resource
import sys

from . import (collector, effects, flags, gpu_parts, images, loaders, models, parameters, place,
               recording, session, training, undoing, watching, worker_curve)

_verified = False


def verify_once():
    """After warm-up: what is really so, and what became of each knob."""
    global _verified
    if _verified:
        return
    _verified = True
    session.safely(collector.apply)
    session.safely(_verify)
    session.safely(collector.begin)
    session.safely(images.begin)
    session.safely(write, "measuring")


def _verify():
    flags.verify(session.torch)
    collector.verify()
    loaders.verify()
    session.safely(parameters.verify)
    training.verify()
    undoing.end_warm_up()
    effects.settle()


def note_program():
    """The script itself, whose lines may be changed without being the place of anything."""
    if sys.argv and sys.argv[0]:
        session.safely(lambda: place.note_source(os.path.abspath(sys.argv[0])))


def write(how):
    """`how`: measuring, measured, ended (by itself), no-step."""
    torch = session.torch
    note_program()
    found = {
        "facts": 1, "how": how, "attached": session.how, "pid": os.getpid(),
        "rank": session.rank, "world": session.world,
        "python": sys.version.split()[0], "torch": torch.__version__ if torch else None,
        "argv": sys.argv, "executable": sys.executable, "folder": session.safely(os.getcwd) or "",
        "phases": session.phases, "peak_memory_bytes": _peak_memory(),
        "loaders": loaders.described, "places": models.places,
        "sources": place.sources,
        "applied": session.applied, "resisted": session.resisted,
        "ignored": [{"name": n, "reason": r} for n, r in sorted(session.ignored.items())],
        "observed": session.observed, "switched_on": undoing.switched_on,
        "arguments": watching.arguments, "written": watching.written,
        "losses": session.safely(training.losses_so_far) or [], "profile": session.profile,
        "worker_curve": worker_curve.measured, "gpu_parts": gpu_parts.summed,
        "collector": collector.taken(), "jpegs": images.seen(),
        "profiled": recording.profiled, "failure": watching.failure, "problems": session.notes,
    }
    path = session.path_of("facts.%d.json" % session.rank)
    part = "%s.%d" % (path, os.getpid())
    text = json.dumps(found, indent=1, default=str, ensure_ascii=False)
    with open(part, "wb") as file:  # names of files may be any bytes
        file.write(text.encode("utf-8", "replace"))
        file.flush()
        os.fsync(file.fileno())
    os.replace(part, path)


def _peak_memory():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
