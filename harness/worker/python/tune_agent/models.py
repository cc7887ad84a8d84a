"""The models that are trained: notes of their calls, and the knobs that belong to them.

A model is watched at `_compiled_call_impl`, which nn.Module.__call__ asks first and which is
neither pickled nor copied with the module; before torch 2.1 by a hook before its forward pass.
"""
import collections
import functools
import gc
import itertools
import sys
import weakref

from . import commands, loaders, parameters, place, session
from . import ring as rings

_roots = []  # weak references to the outermost modules that hold what the optimizers update
optimizers = weakref.WeakSet()  # a new one for each fold or task ends with it
places = {}  # of the first forward and the first backward call
_watched = []  # [weak reference to a module, compiled call that it had, number]
_numbers = itertools.count()
_handles = {}  # of hooks before torch 2.1, by the identity of their module
compiled = set()  # identities of those that the script had compiled in place
_tries = _later_looks = 0
_MOST_TRIES = 3  # to find any
_MOST_LATER_LOOKS = 20  # at all objects, for the models of new optimizers
_asked = collections.deque(maxlen=16)  # weak references to modules, once models are known
_autocast = None
own_autocast = None  # the type that autocast of the script's own casts to
gets_channels_last = False  # images that the model is called with
_WRAPPERS = ("OptimizedModule", "DistributedDataParallel", "DataParallel")


def trained():
    """The models that are still there; those of earlier folds are not kept for our sake."""
    return [root for root in (reference() for reference in _roots) if root is not None]


def want():
    """At the next hook the models are looked for."""
    if not _roots and _tries < _MOST_TRIES and find not in session.pending:
        session.pending.append(find)


def want_of(optimizer):
    """The same where the models that are known are not those of this optimizer: each fold of a
    cross-validation has its own. Done at once, for its first call comes before the next hook."""
    global _later_looks
    if not _roots:
        return want()
    first = next((p for group in optimizer.param_groups for p in group["params"]), None)
    if any(_holds(root, first) for root in trained()):
        return
    asked = [reference() for reference in tuple(_asked)]  # asking again adds to it
    asked = [m for m in asked if m is not None and _holds(m, first)]
    if asked:
        _take([max(asked, key=lambda module: sum(1 for _ in module.parameters()))])
    elif _later_looks < _MOST_LATER_LOOKS:
        _later_looks += 1
        session.safely(find)


def _holds(module, parameter):
    return any(p is parameter for p in module.parameters())


def _remember_asked(kind):
    """The modules that are asked for their parameters: the one of a new optimizer is among them."""
    own = kind.named_parameters

    @functools.wraps(own)
    def named_parameters(self, *given, **named):
        if session.thread and not session.has_compiler():
            _asked.append(weakref.ref(self))
        return own(self, *given, **named)

    kind.named_parameters = named_parameters


def find():
    """Looks at all objects there are."""
    global _tries
    _tries += 1
    known = {id(root) for root in trained()}
    torch = session.torch
    updated = updated_parameters()
    everything = [o for o in _objects() if issubclass(type(o), torch.nn.Module)]
    modules = [m for m in everything if "_parameters" in m.__dict__]
    inner = {id(c) for m in modules for c in m.__dict__.get("_modules", {}).values()}
    outermost = [m for m in modules if id(m) not in inner and id(m) not in known]
    roots = [m for m in outermost if session.safely(_is_trained, m, updated)]
    if not roots and not known and _tries > 1:  # ZeRO updates copies of the parameters
        roots = [m for m in outermost if session.safely(_is_trained, m, set())]
    if roots and not _roots:
        _remember_asked(torch.nn.Module)
    _take(roots)


def _take(roots):
    _roots[:] = [reference for reference in _roots if reference() is not None]
    _roots.extend(weakref.ref(root) for root in roots)
    for root in roots:
        session.safely(_apply_knobs, root)
    for root in roots:
        is_wrapper = _is_wrapper(root)  # asked first: what is watched looks like one
        _watch(root)
        if not is_wrapper:
            for child in root.children():  # Lightning calls methods of the root, not the root
                if next(child.parameters(), None) is not None:
                    _watch(child)


def updated_parameters():
    """The identities of all parameters that optimizers update."""
    return {id(p) for o in optimizers for group in o.param_groups for p in group["params"]}


def _objects():
    """All that the garbage collector knows, also what the script has frozen."""
    if not gc.get_freeze_count():
        return gc.get_objects()
    gc.unfreeze()
    try:
        return gc.get_objects()
    finally:
        gc.freeze()


def _is_trained(module, updated):
    if session.counts_batches:
        return next(module.parameters(), None) is not None
    if updated:
        return any(id(p) in updated for p in module.parameters())
    return any(p.requires_grad for p in module.parameters())


def _is_wrapper(module):
    """It must be called itself; whatever is below it may be compiled, and is not touched."""
    return type(module).__name__ in _WRAPPERS or "_compiled_call_impl" in module.__dict__


# ---------------------------------------------------------------------------------- calls

def hook(torch):
    session.after_binding.append(_bind)
    if session.counts_batches:
        _await_call(torch)


def _await_call(torch):
    """Inference may have no loader: then a call of a model is the first that says of it."""
    def first_call(module, arguments):
        known.remove()
        session.safely(_begin_at_call)

    known = torch.nn.modules.module.register_module_forward_pre_hook(first_call)


def _begin_at_call():
    if session.current() == session.thread and not loaders.described:
        want()
        session.wants_claim()
        commands.attend_to_asking()


def _watch(module):
    number = next(_numbers)
    _watched[:] = [watched for watched in _watched if watched[0]() is not None]
    if hasattr(session.torch.nn.Module, "_compiled_call_impl"):
        inner = module.__dict__.get("_compiled_call_impl")
        if inner is not None:
            compiled.add(id(module))
        _watched.append([weakref.ref(module), inner, number])
        _bind_call(module, inner, number)
    else:
        _watched.append([weakref.ref(module), None, number])
        _handles[id(module)] = module.register_forward_pre_hook(_BeforeForward(number))


def _bind():
    for reference, compiled, number in _watched:
        module = reference()
        if module is not None and _is_ours(module):  # the script may have compiled it since
            _bind_call(module, compiled, number)


def _bind_call(module, compiled, number):
    thread, current, gradients = session.thread, session.current, session.torch.is_grad_enabled
    reference = weakref.ref(module)  # the module itself would be freed later than without us
    frame_of = sys._getframe
    if compiled is None and session.has_compiler():
        compiled = module._call_impl  # what looks into calls must not see us look
    if not thread or session.claimed and not _is_special() and _knows_place():
        call, quiet_call = _ticks(number)

        def watched(*arguments, **named):
            if current() == thread:
                if gradients():
                    call()
                else:
                    quiet_call()
            if compiled is not None:
                return compiled(*arguments, **named)
            called = frame_of(1).f_locals.get("self")
            if called is not reference():
                called = _called(reference)
            return called._call_impl(*arguments, **named)
    else:
        def watched(*arguments, **named):
            if current() == thread:
                arguments, named = _prepare(_called(reference), number, arguments, named)
            return (compiled or _called(reference)._call_impl)(*arguments, **named)

    watched._tune = True
    module.__dict__["_compiled_call_impl"] = watched


def _is_ours(module):
    return getattr(getattr(module, "__dict__", {}).get("_compiled_call_impl"), "_tune", False)


def _called(reference):
    """The module that is called: a copy of the one we watch where somebody copies its __dict__ (MAML
    of learn2learn, replicas of DataParallel), for then the copy has our function as well."""
    frame = sys._getframe(2)
    for _ in range(2):  # recording puts a function of its own between nn.Module's and ours
        module = frame.f_locals.get("self")
        if _is_ours(module):
            return module
        frame = frame.f_back
    return reference()


def _ticks(number):
    tick = session.ring.tick
    return tick(rings.CALL, number, rings.GRADIENTS), tick(rings.CALL, number)


def _is_special():
    """A call is more than a note: the batch is counted there, or changed."""
    return not loaders.described or session.knobs.get("channels_last") or _amp()


def _knows_place():
    """Of the call with gradients; there is none in inference."""
    return "forward" in places or session.counts_batches


class _BeforeForward:
    """Before torch 2.1. Copied or pickled with the model it is a function that changes nothing, so
    that a checkpoint can be read where we are not."""

    def __init__(self, number):
        self.number = number

    def __call__(self, module, arguments):
        if session.current() == session.thread:
            return _prepare(module, self.number, arguments, {})[0]

    def __reduce__(self):
        return getattr, ({}, "get")


def _prepare(module, number, arguments, named):
    try:
        return _prepared(module, number, arguments, named)
    except Exception as problem:
        session.note_problem("forward", problem)
        return arguments, named


def _prepared(module, number, arguments, named):
    _choose_watched(module)
    gradients = session.torch.is_grad_enabled()
    rows = 0
    if not loaders.described:
        rows = loaders.rows_of(arguments) or loaders.rows_of(named) or 0
    session.ring.note(rings.CALL, number, int(gradients), rows)
    if session.counts_batches and not loaders.described:
        commands.attend_to_asking()
    if not gradients:
        return arguments, named
    if "forward" not in places:
        places["forward"], places["forward_library"] = place.find_place(module)
        _bind()
    if session.knobs.get("channels_last"):
        arguments = tuple(_to_channels_last(a) for a in arguments)
        named = {k: _to_channels_last(v) for k, v in named.items()}
    elif session.knobs.get("channels_last") is False:
        _look_at_layout(arguments, named)
    if _amp() and _autocast is None and own_autocast is None and module.training:
        _enter_autocast(module)
    return arguments, named


def watched_modules():
    """Those whose calls are noted."""
    alive = [module for module in (reference() for reference, _, _ in _watched) if module is not None]
    return [m for m in alive if id(m) in _handles or _is_ours(m)]


def _choose_watched(module):
    """The outermost modules that are called stay watched; what is below them need not be."""
    for child in module.children():
        if _is_ours(child):
            del child.__dict__["_compiled_call_impl"]
        elif id(child) in _handles:
            _handles.pop(id(child)).remove()


# ---------------------------------------------------------------------------------- knobs

def _amp():
    wanted = session.knobs.get("amp", "none")
    return None if wanted == "none" else wanted


def _enter_autocast(module):
    """From the call of the model to the backward pass: the loss belongs to it."""
    global _autocast
    torch = session.torch
    if _amp() != "bf16":
        session.ignored["amp"] = "fp16 scales its losses: only the script's own flag does that"
        return
    device = next((p.device.type for p in module.parameters()), "cpu")
    _autocast = torch.autocast(device, dtype=torch.bfloat16)
    _autocast.__enter__()
    session.observed.setdefault("amp", "bfloat16")
    session.pending.append(_leave_autocast)
    session.applied["amp"] = "bf16"


def _leave_autocast():
    global _autocast
    left, _autocast = _autocast, None
    left.__exit__(None, None, None)


def is_ours(autocast):
    return autocast is _autocast


def _to_channels_last(value):
    torch = session.torch
    if isinstance(value, torch.Tensor) and value.dim() == 4:
        return value.contiguous(memory_format=torch.channels_last)
    return value


def _look_at_layout(arguments, named):
    global gets_channels_last
    values = arguments + tuple(named.values())
    gets_channels_last = gets_channels_last or any(parameters.layout([v]) for v in values)


def _apply_knobs(root):
    torch, knobs = session.torch, session.knobs
    if knobs.get("channels_last"):
        root.to(memory_format=torch.channels_last)
        session.applied["channels_last"] = True
    elif knobs.get("channels_last") is False and parameters.layout(root.parameters()):
        root.to(memory_format=torch.contiguous_format)  # it was read from a file so
        session.applied["channels_last"] = False
    mode = knobs.get("compile")
    if mode and mode != "none":
        _compile(root, mode)


def _compile(root, mode):
    if not hasattr(root, "compile"):
        session.ignored["compile"] = "this torch has no Module.compile"
    elif _is_wrapper(root):
        session.ignored["compile"] = "the script compiles the model itself"
    else:
        root.compile(**({} if mode in (True, "default") else {"mode": mode}))
        session.applied["compile"] = mode
