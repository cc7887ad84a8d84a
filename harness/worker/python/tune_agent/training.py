"""Backward passes and optimizers: their notes, and the knobs of optimizers."""
import functools
import inspect
import itertools
import threading

from . import commands, models, place, session
from . import ring as rings
from .ring import COMMAND
from .place import plain

_MOST_LOSSES = 64
_MOST_OPTIMIZERS = 50
_FORMS = ("fused", "foreach")  # of an optimizer's update, other than its loop
_UPDATES_ITSELF_AFTER = 4  # backward passes without an optimizer
_RISES = 3  # of a parameter's version, without a step of the optimizers: they are updated elsewhere
_MOST_PASSES_OF_A_STEP = 256  # nobody accumulates so many
_UNSEEN = "the steps of the optimizer are not seen (they run within what torch.compile compiles, or the " \
    "script updates parameters itself): a step is a backward pass"

losses = []  # [number of the backward pass, tensor, scale of the loss]
scaler = None
steps = 0  # of the optimizers, or backward passes in their place, as long as they are looked at
_looks = True  # until the ring is claimed; where ranks have to end together, or steps are recorded
_back = _back_end = _grad = _grad_end = _step = _step_end = _clear = _clear_end = None
_thread = 0
_page = b""
# True at the backward passes 1, 2, 4, 8 and so on: asking it costs no line of Python.
_is_due = itertools.chain.from_iterable(
    itertools.chain((True,), itertools.repeat(False, (1 << i) - 1)) for i in range(60)).__next__
_looks_at_losses = 0  # so far
_looks_at_gradients = itertools.count(1).__next__
_has_begun = False  # a step that is seen, in which LBFGS has many passes
_are_passes = False  # torch.autograd.grad does what backward passes do elsewhere
_updated = (0, 0, 0)  # identity of a parameter, its version, how many times in a row that had risen
_passes_are_steps = False
_is_counted = False  # each of them, as long as steps are looked at
_has_parts = True
_only_for_parts = []  # functions that take a hook out again
_current = threading.get_ident


def hook(torch):
    _patch_backward(torch)
    _patch_gradients(torch)
    _patch_optimizers(torch)
    session.after_binding.append(_bind)
    _bind()


def _bind():
    global _back, _back_end, _grad, _grad_end, _step, _step_end, _clear, _clear_end
    global _thread, _page, _looks, _current
    tick = session.ring.tick
    _back, _back_end, _grad, _grad_end = (
        tick(k) for k in (rings.BACK, rings.BACK_END, rings.GRAD, rings.GRAD_END))
    if _are_passes:
        _grad, _grad_end = _back, _back_end
    _step, _step_end, _clear, _clear_end = (
        tick(k) for k in (rings.STEP, rings.STEP_END, rings.CLEAR, rings.CLEAR_END))
    _thread, _page, _current = session.thread, session.ring.page, session.current
    _looks = not session.claimed or session.world > 1
    _count_passes_while_looking()
    if session.claimed and models.optimizers and not session.spec.get("parts", True):
        _leave_parts()


def _leave_parts():
    """Short steps: what ends backward passes and begins optimizers costs more than it tells."""
    global _has_parts
    _has_parts = False
    while _only_for_parts:
        _only_for_parts.pop()()


def look_at_steps():
    global _looks
    _looks = True
    _count_passes_while_looking()


def _count_passes_while_looking():
    global _is_counted
    _is_counted = session.claimed and _looks and _passes_are_steps


# ---------------------------------------------------------------------------------- backward

def _patch_backward(torch):
    run, is_due, pending = torch.autograd.backward, _is_due, session.pending

    @functools.wraps(run)
    def backward(tensors, *arguments, **named):
        if _current() != _thread and not _adopts_thread():
            return run(tensors, *arguments, **named)
        if pending or _page[COMMAND]:
            commands.attend_to_backward()
        if is_due():
            session.safely(_look_at, tensors)
        _back()
        run(tensors, *arguments, **named)
        if _has_parts:
            _back_end()
        if _is_counted:
            _count_pass()

    torch.autograd.backward = backward


def _adopts_thread():
    """It is not always the main thread that trains: Ray, notebooks."""
    if session.claimed:
        return session.trains()
    if not session.thread or session.in_worker() or steps:
        return False
    session.adopt()
    return True


def _look_at(tensors):
    global _looks_at_losses
    count = 1 << _looks_at_losses
    _looks_at_losses += 1
    if count == 1:
        found = place.find_place()
        models.places["backward"], models.places["backward_library"] = found
    if not session.claimed and not steps and not _has_begun:
        if not models.optimizers:
            if count >= _UPDATES_ITSELF_AFTER:
                _let_passes_be_steps()
        elif _is_updated(_first_parameter()) or count >= _MOST_PASSES_OF_A_STEP:
            _leave_optimizers_out()
    tensor = tensors[0] if isinstance(tensors, (list, tuple)) else tensors
    if len(losses) < _MOST_LOSSES and tensor.numel() == 1:
        losses.append((count, tensor.detach().clone(), _scale()))


def _first_parameter():
    """One that gets gradients."""
    return next((p for optimizer in models.optimizers for group in optimizer.param_groups
                 for p in group["params"] if p.requires_grad), None)


def _is_updated(parameter):
    """Whether it has changed from one look to the next, a few times: whoever accumulates gradients
    does not change it."""
    global _updated
    if parameter is None:
        return False
    known, version, rises = _updated
    rises = rises + 1 if known == id(parameter) and parameter._version > version else 0
    _updated = id(parameter), parameter._version, rises
    return rises >= _RISES


def _leave_optimizers_out():
    session.ring.note(rings.UNSEEN)
    session.notes.append(_UNSEEN)
    _let_passes_be_steps()


def _let_passes_be_steps():
    global _passes_are_steps
    _passes_are_steps = True
    models.want()
    session.wants_claim()


def _count_pass():
    global steps
    steps += 1


def _scale():
    scale = getattr(scaler, "_scale", None)
    return 1.0 if scale is None else scale.clone()  # float() would wait for the GPU


def _patch_gradients(torch):
    run = torch.autograd.grad

    @functools.wraps(run)
    def grad(*arguments, **named):
        if _current() != _thread:
            return run(*arguments, **named)
        if not _looks_at_losses and not _are_passes:
            session.safely(_look_at_gradients_of, named.get("inputs", arguments[1:2]))
        if _are_passes and (session.pending or _page[COMMAND]):
            commands.attend_to_backward()
        _grad()
        result = run(*arguments, **named)
        _grad_end()
        if _are_passes and _is_counted:
            _count_pass()
        return result

    torch.autograd.grad = grad


def _look_at_gradients_of(inputs):
    """Some scripts ask for the gradients of parameters and have no backward pass at all. Others ask for
    some of an input (adversarial examples), or before the backward pass of a step (MAML, penalties)."""
    global _are_passes
    count = _looks_at_gradients()
    while isinstance(inputs, (tuple, list)) and inputs:
        inputs = inputs[0]
    if not isinstance(inputs, session.torch.nn.Parameter) or count & (count - 1):
        return
    if _is_updated(inputs) or steps and count >= _UPDATES_ITSELF_AFTER:
        _are_passes = True
        session.bind()
        if not steps:
            _leave_optimizers_out() if models.optimizers else _let_passes_be_steps()


# ---------------------------------------------------------------------------------- optimizers

def _before_step(optimizer, arguments, named):
    global _has_begun
    if _current() == _thread:
        _step()
        if _looks:
            _has_begun = True


def _after_step(optimizer, arguments, named):
    if _current() == _thread:
        _step_end()
        if _looks:
            session.safely(_look_at_step, optimizer)


def _look_at_step(optimizer):
    global steps, _is_counted
    steps += 1
    _is_counted = False
    if not session.claimed:
        models.optimizers.add(optimizer)
        models.want()
        session.wants_claim()


def _patch_optimizers(torch):
    import torch.optim.optimizer as module

    if hasattr(module, "register_optimizer_step_post_hook"):
        handle = module.register_optimizer_step_pre_hook(_before_step)
        _only_for_parts.append(handle.remove)
        module.register_optimizer_step_post_hook(_after_step)
    else:
        _patch_steps_of_classes(module)
    module.Optimizer.__init__ = _constructor(module.Optimizer.__init__)
    clear = module.Optimizer.zero_grad
    module.Optimizer.zero_grad = _clearing(clear)
    if session.knobs.get("set_to_none") is not None:
        torch.nn.Module.zero_grad = _setting_to_none(torch.nn.Module.zero_grad)
    else:
        _only_for_parts.append(functools.partial(setattr, module.Optimizer, "zero_grad", clear))
    if session.knobs.get("optimizer_impl"):
        _patch_constructors(torch.optim)


def _patch_steps_of_classes(module):
    """Before torch 2.0 every constructor wraps its class's step once."""
    wrap = module.Optimizer._hook_for_profile

    def _hook_for_profile(self):
        wrap(self)
        step = type(self).step
        if getattr(step, "_tune", False):
            return

        @functools.wraps(step)
        def timed(self, *arguments, **named):
            _before_step(self, arguments, named)
            result = step(self, *arguments, **named)
            _after_step(self, arguments, named)
            return result

        timed._tune = timed.hooked = True
        type(self).step = timed

    module.Optimizer._hook_for_profile = _hook_for_profile


def _constructor(make):
    @functools.wraps(make)
    def __init__(self, *arguments, **named):
        make(self, *arguments, **named)
        if session.thread:
            session.safely(_describe, self)

    return __init__


def _flag(value):
    """0 and 1 will do for torch."""
    return None if value is None else bool(value)


def _describe(optimizer):
    models.optimizers.add(optimizer)
    session.ring.note(rings.OPTIMIZER)
    where, library = place.find_place(optimizer)
    facts = {"class": type(optimizer).__name__, "place": where, "library": library,
             "fused": _flag(optimizer.defaults.get("fused")),
             "foreach": _flag(optimizer.defaults.get("foreach"))}
    seen = session.observed.setdefault("optimizers", [])
    if facts not in seen and len(seen) < _MOST_OPTIMIZERS:
        seen.append(facts)
    models.want_of(optimizer)


def _clearing(clear):
    wanted = session.knobs.get("set_to_none")
    usual = inspect.signature(clear).parameters["set_to_none"].default

    @functools.wraps(clear)
    def zero_grad(self, set_to_none=usual):
        if wanted is not None:
            set_to_none = session.applied["set_to_none"] = wanted
        if _current() == _thread:
            _clear()
            clear(self, set_to_none)
            _clear_end()
        else:
            clear(self, set_to_none)

    return zero_grad


def _setting_to_none(clear):
    """The model's own zero_grad()."""
    @functools.wraps(clear)
    def zero_grad(self, *given, **named):
        if session.thread:
            given, named = (session.knobs["set_to_none"],), {}
            session.applied["set_to_none"] = session.knobs["set_to_none"]
        clear(self, *given, **named)

    return zero_grad


def _patch_constructors(module):
    for kind in list(vars(module).values()):
        if isinstance(kind, type) and "__init__" in vars(kind):
            if "foreach" in inspect.signature(kind.__init__).parameters:
                session.safely(_patch_constructor, kind)


def _patch_constructor(optimizer_class):
    wanted, make = session.knobs["optimizer_impl"], optimizer_class.__init__
    parameters = inspect.signature(make).parameters

    @functools.wraps(make)
    def __init__(self, *arguments, **named):
        if wanted not in ("loop",) + _FORMS:
            session.ignored["optimizer_impl"] = "tune does not know this value"
        elif wanted != "loop" and wanted not in parameters:
            session.ignored["optimizer_impl"] = "%s of this torch has no %s" % (
                optimizer_class.__name__, wanted)
        else:
            named.update((name, name == wanted) for name in _FORMS if name in parameters)
            session.applied["optimizer_impl"] = wanted
        make(self, *arguments, **named)

    optimizer_class.__init__ = __init__


def verify():
    wanted = session.applied.get("optimizer_impl")
    for optimizer in models.optimizers if wanted else ():
        seen = impl_of(optimizer)
        if seen not in (None, wanted):
            session.resist("optimizer_impl", seen, "?")


def impl_of(optimizer):
    """What its groups say, which a checkpoint may have set; None where it has no choice."""
    groups = optimizer.param_groups
    if not any("foreach" in group for group in groups):
        return None
    for name in _FORMS:
        if any(group.get(name) for group in groups):
            return name
    on_gpu = any(p.is_cuda for group in groups for p in group["params"])
    is_free = all(group.get("foreach") is None for group in groups)
    return "foreach" if on_gpu and is_free else "loop"


def losses_so_far():
    """[{"backward": number, "value": loss}]: waits for the GPU."""
    found = []
    for count, tensor, scale in losses:
        try:
            value = float(tensor) / (float(scale) or 1.0)
        except (RuntimeError, TypeError):  # it is complex, or has no numbers
            continue
        found.append({"backward": count, "value": plain(value)})
    return found
