"""What the script itself switches on, where it does, and how a trial switches it off: autocast with
its scaling of losses, channels_last, compilation, copies that are not waited for. Flags of the
process, arguments of loaders and of optimizers are switched off by the knob that switches them on.
"""
import functools

from . import models, place, session, training

_MOST_PLACES = 50
_MODES = ("default", "reduce-overhead", "max-autotune")
_LAYS_OUT = ("to", "contiguous", "clone", "cuda", "cpu", "float", "half", "bfloat16", "double")
_COPIES = ("to", "cuda", "copy_")

switched_on = []  # for each place: {"knob", "call", "place", "library"}
_is_over = False  # the warm-up: from then on no place is looked for
_hooks_of_warm_up = []  # functions that take a hook out again


def hook(torch):
    _hook_autocast(torch)
    _hook_scaler(torch)
    if hasattr(torch, "compile"):
        torch.compile = _compiling(torch.compile, is_method=False)
    if hasattr(torch.nn.Module, "compile"):
        torch.nn.Module.compile = _compiling(torch.nn.Module.compile, is_method=True)
    if _is_off("channels_last"):
        _keep_layout(torch)
    elif "channels_last" not in session.knobs:
        _note_layout(torch)


def _is_off(knob):
    """Whether this trial asks for it to be off; not where it says nothing of it."""
    return session.knobs.get(knob, True) in (False, "none")


def _applied(knob, value):
    """What comes after the warm-up changes no answer."""
    if not _is_over:
        session.applied[knob] = value


def _note(knob, call, made=None):
    """Where the script switches something on."""
    if _is_over or not session.thread or len(switched_on) >= _MOST_PLACES:
        return
    if made is not None and place.is_made_by_torch(made):
        return
    where, library = place.find_place(made)
    entry = {"knob": knob, "call": call, "place": where, "library": library}
    if (where or library) and entry not in switched_on:
        switched_on.append(entry)


def end_warm_up():
    global _is_over
    _is_over = True
    while _hooks_of_warm_up:
        _hooks_of_warm_up.pop()()


def _take_out(kind, name, hook_of_ours, own):
    if getattr(kind, name) is hook_of_ours:  # not where somebody has one around it
        setattr(kind, name, own)


# ---------------------------------------------------------------------------------- amp

def _hook_autocast(torch):
    """Also what torch.cuda.amp, torch.cpu.amp and frameworks call so: they derive from this one."""
    kind = torch.autocast
    make, enter, gradients = kind.__init__, kind.__enter__, torch.is_grad_enabled
    is_off, is_changed = _is_off("amp"), session.knobs.get("amp") == "bf16"

    @functools.wraps(make)
    def __init__(self, *given, **named):
        make(self, *given, **named)
        if getattr(self, "_enabled", False):
            session.safely(_note, "amp", "autocast", self)

    @functools.wraps(enter)
    def __enter__(self):
        if session.thread and getattr(self, "_enabled", False):
            if is_off:
                self._enabled = False
                _applied("amp", "none")
            elif (is_changed or models.own_autocast is None) and not models.is_ours(self) \
                    and (gradients() or session.counts_batches):
                _see_autocast(self, torch)
        return enter(self)

    kind.__init__, kind.__enter__ = __init__, __enter__
    _hooks_of_warm_up.append(functools.partial(_take_out, kind, "__init__", __init__, make))


def _see_autocast(autocast, torch):
    """One of the script's own: where a trial asks for another type, that is what it casts to."""
    is_half = getattr(autocast, "fast_dtype", None) == torch.float16
    if is_half and session.knobs.get("amp") == "bf16":
        autocast.fast_dtype = torch.bfloat16  # losses stay scaled, which changes none of them
        _applied("amp", "bf16")
    used = str(getattr(autocast, "fast_dtype", "?")).replace("torch.", "")
    models.own_autocast = used
    session.observed.setdefault("amp", used)


def _hook_scaler(torch):
    kind = getattr(getattr(torch, "amp", None), "GradScaler", None) or torch.cuda.amp.GradScaler
    make = kind.__init__

    @functools.wraps(make)
    def __init__(self, *given, **named):
        make(self, *given, **named)
        training.scaler = self
        if session.thread and getattr(self, "_enabled", False):
            session.safely(_note, "amp", "GradScaler", self)
            if _is_off("amp"):
                self._enabled = False
                _applied("amp", "none")

    kind.__init__ = __init__


# ---------------------------------------------------------------------------------- layout

def _note_layout(torch):
    special, own = (torch.channels_last, torch.channels_last_3d), torch.nn.Module.to

    @functools.wraps(own)
    def to(*given, **named):
        if named.get("memory_format") in special:
            session.safely(_note, "channels_last", "to")
        return own(*given, **named)

    torch.nn.Module.to = to
    _hooks_of_warm_up.append(functools.partial(_take_out, torch.nn.Module, "to", to, own))


def _keep_layout(torch):
    """Modules and tensors that the script lays out in channels_last stay as torch has them."""
    special = (torch.channels_last, torch.channels_last_3d)

    def plain(run):
        @functools.wraps(run)
        def lay_out(*given, **named):
            if named and named.get("memory_format") in special and session.thread:
                named["memory_format"] = torch.contiguous_format
                _applied("channels_last", False)
            return run(*given, **named)

        return lay_out

    torch.nn.Module.to = plain(torch.nn.Module.to)
    for name in _LAYS_OUT:
        setattr(torch.Tensor, name, plain(getattr(torch.Tensor, name)))


# ---------------------------------------------------------------------------------- compilation

def _compiling(make, is_method):
    """torch.compile or Module.compile: noted, or passed by where a trial asks for none."""
    @functools.wraps(make)
    def compile(*given, **named):
        if session.thread:
            session.safely(_note_compilation, given, named)
            if _is_off("compile"):
                _applied("compile", "none")
                if is_method:
                    return None
                named["disable"] = True  # torch's own way: it gives back what it got
        if not _is_off("compile"):
            session.safely(session.expect_compiler)
        return make(*given, **named)

    return compile


def _note_compilation(given, named):
    count = len(switched_on)
    _note("compile", "compile")
    target = given[0] if given else named.get("model")
    is_own = len(switched_on) > count and not switched_on[-1]["library"]
    if (is_own or isinstance(target, session.torch.nn.Module)) and not _is_off("compile"):
        mode = named.get("mode")
        session.observed.setdefault("compile", mode if mode in _MODES else "default")


# ---------------------------------------------------------------------------------- copies

def wait_for_copies(kind):
    """Copies that the script does not wait for. Among arguments without a name the first that is
    true or false says that."""
    def waiting(run):
        @functools.wraps(run)
        def copy(*given, **named):
            at = next((n for n, value in enumerate(given) if type(value) is bool), None)
            if session.thread and (named.get("non_blocking") or at is not None and given[at]):
                _applied("non_blocking", False)
                if named.get("non_blocking"):
                    named["non_blocking"] = False
                else:
                    given = given[:at] + (False,) + given[at + 1:]
            return run(*given, **named)

        return copy

    for name in _COPIES:
        setattr(kind, name, waiting(getattr(kind, name)))
