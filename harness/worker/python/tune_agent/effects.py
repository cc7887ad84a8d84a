"""What became of each knob: its value after the warm-up, as far as it can be seen, next to the one
that was asked for."""
import gc

from . import loaders, models, parameters, session, training
from .place import plain

_TYPES = {"bfloat16": "bf16", "float16": "fp16"}
_NAMES = {False: "none", True: "default"}
_OF_TUNE = ("preload", "worker_nice", "non_blocking")  # off unless a hook of ours has seen them


def settle():
    """Adds to what modules have said of their knobs: those that nothing took, or not to the end."""
    for name, wanted in session.knobs.items():
        if name in ("amp", "compile"):
            wanted = _NAMES.get(wanted, wanted)
        reason = session.safely(_reason_of_model, name, wanted)
        seen = session.safely(_SEEN[name]) if name in _SEEN else session.observed.get(name)
        if reason:
            session.applied.pop(name, None)
            session.ignored.setdefault(name, reason)
        elif name not in session.applied:
            session.ignored.setdefault(name, _reason(name, wanted, seen))
        elif name in _SEEN and seen not in (None, wanted):
            session.resist(name, plain(seen), "?")


def _reason_of_model(name, wanted):
    """What the model itself decides."""
    if name == "amp" and wanted == "none" and parameters.half_type():
        return "the model itself is in %s, which is not undone" % parameters.half_type()
    if name == "channels_last" and models.trained() and channels_last() is None:
        return "no parameter has four dimensions"
    if name == "channels_last" and not wanted and models.gets_channels_last:
        return "the model gets its images in channels_last"
    return ""


def _reason(name, wanted, seen):
    if seen is None and name in _OF_TUNE and not wanted or seen is not None and seen == wanted:
        return "as asked, nothing is changed"
    if seen is None:
        return "nothing in this script takes it"
    return "it is %s, and nothing in this script takes another value" % (seen,)


# ---------------------------------------------------------------------------------- seen

def amp():
    """The script's own precision before that of a knob, which never replaces it unseen."""
    own = parameters.half_type() or models.own_autocast
    return _TYPES.get(own, own) or session.applied.get("amp", "none")


def channels_last():
    """None where nothing has four dimensions."""
    found = {m["channels_last"] for m in session.observed.get("models") or []} - {None}
    return found.pop() if len(found) == 1 else "mixed" if found else None


def compilation():
    applied = session.applied.get("compile", "none")
    compiled = any(m["compiled"] for m in session.observed.get("models") or [])
    own = session.observed.get("compile") or compiled and applied == "none" and "default"
    return own or _NAMES.get(applied, applied)


def optimizer_impl():
    """None where optimizers differ, or none of them has a choice."""
    found = {training.impl_of(optimizer) for optimizer in models.optimizers}
    return found.pop() if len(found) == 1 else None


def collection():
    return "manual" if not gc.isenabled() else "freeze" if gc.get_freeze_count() else "auto"


def batch_fetch():
    return any(l["fetches_batches"] for l in loaders.described) if loaders.described else None


_SEEN = {"amp": amp, "channels_last": channels_last, "compile": compilation,
         "optimizer_impl": optimizer_impl, "gc": collection, "batch_fetch": batch_fetch}
