"""Notes of checkpoints, which do not belong to steps."""
import functools

from . import session
from . import ring as rings
from .after_import import call_after_import

_save = _save_end = None
_thread = 0
_current = session.current


def hook(torch):
    torch.save = _saving(torch.save, "f")
    _hook_checkpoints()
    session.after_binding.append(_bind)
    _bind()


def _bind():
    global _save, _save_end, _thread, _current
    _save, _save_end = session.ring.tick(rings.SAVE), session.ring.tick(rings.SAVE_END)
    _thread, _current = session.thread, session.current


def _saving(run, file_name=None):
    """What writes a checkpoint; with `file_name`, its second argument, it opens the file outside of
    Python."""
    @functools.wraps(run)
    def save(*arguments, **named):
        if _current() != _thread:
            return run(*arguments, **named)
        if session.wrote is not None and file_name is not None:
            file = named.get(file_name, arguments[1] if arguments[1:] else None)
            session.safely(session.wrote, file)
        _save()
        try:
            return run(*arguments, **named)
        finally:
            _save_end()

    return save


# Frameworks do more for a checkpoint than to save tensors.
_CHECKPOINTS = (("accelerate.accelerator", "Accelerator", "save_state"),
                ("lightning.pytorch.trainer.trainer", "Trainer", "save_checkpoint"),
                ("pytorch_lightning.trainer.trainer", "Trainer", "save_checkpoint"),
                ("transformers.trainer", "Trainer", "_save_checkpoint"))


def _hook_checkpoints():
    call_after_import("safetensors.torch", lambda module: session.safely(_save_tensors, module))
    for name, owner, method in _CHECKPOINTS:
        call_after_import(name, functools.partial(session.safely, _save_all, owner, method))


def _save_tensors(module):
    module.save_file = _saving(module.save_file, "filename")


def _save_all(owner, method, module):
    owner = getattr(module, owner)
    setattr(owner, method, _saving(getattr(owner, method)))
