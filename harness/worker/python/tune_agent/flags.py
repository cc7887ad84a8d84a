"""Knobs of the whole process, set when torch comes; what the script sets later is dropped."""
import functools
import os
import sys

from . import session, undoing
from .after_import import call_after_import
from .place import find_place, plain, text_of

_WORKERS = os.path.join("torch", "utils", "data", "_utils", "worker.py")
_THREADS = ("intra_op_threads", "inter_op_threads")
_SDPA = ("flash", "mem_efficient", "math", "cudnn")
_wanted = {}  # what is to be seen after the warm-up


def _flags(torch):
    """name -> (read, write)"""
    cudnn, matmul = torch.backends.cudnn, torch.backends.cuda.matmul
    flags = {
        "cudnn_benchmark": (lambda: cudnn.benchmark, lambda v: setattr(cudnn, "benchmark", v)),
        "deterministic": (torch.are_deterministic_algorithms_enabled,
                          torch.use_deterministic_algorithms),
        "flush_denormal": (lambda: _flushes(torch), torch.set_flush_denormal),
        "inter_op_threads": (torch.get_num_interop_threads, torch.set_num_interop_threads),
        "intra_op_threads": (torch.get_num_threads, torch.set_num_threads),
        "tf32": (lambda: _tf32(cudnn, matmul), lambda v: _set_tf32(cudnn, matmul, v)),
    }
    if hasattr(torch, "set_float32_matmul_precision"):
        flags["matmul_precision"] = (torch.get_float32_matmul_precision,
                                     torch.set_float32_matmul_precision)
    if hasattr(torch.backends.cuda, "enable_flash_sdp"):
        flags["sdpa"] = (lambda: _sdpa(torch), lambda v: _set_sdpa(torch, v))
    return flags


def _flushes(torch):
    return float(torch.full((1,), 1e-39, dtype=torch.float32) * 0.5) == 0


def _tf32(cudnn, matmul):
    return "all" if matmul.allow_tf32 else "convolutions" if cudnn.allow_tf32 else "none"


def _set_tf32(cudnn, matmul, value):
    cudnn.allow_tf32, matmul.allow_tf32 = value != "none", value == "all"


def _switches(torch):
    backends = torch.backends.cuda
    names = [name for name in _SDPA if hasattr(backends, "enable_%s_sdp" % name)]
    return [(name, getattr(backends, name + "_sdp_enabled"),
             getattr(backends, "enable_%s_sdp" % name)) for name in names]


def _sdpa(torch):
    enabled = [name for name, is_on, _ in _switches(torch) if is_on()]
    return enabled[0] if len(enabled) == 1 else "auto"


def _set_sdpa(torch, value):
    if value not in ("auto",) + tuple(name for name, _, _ in _switches(torch)):
        raise ValueError("this torch has no such back end")
    for name, _, switch in _switches(torch):
        switch(value in ("auto", name))


# ---------------------------------------------------------------------------------- set, kept

def apply(torch):
    flags = _flags(torch)
    for name, value in session.knobs.items():
        if name not in flags:
            continue
        try:
            if name not in _THREADS or value:  # 0: torch's own choice
                flags[name][1](value)
            if name == "deterministic" and not value:
                torch.backends.cudnn.deterministic = False
            _wanted[name] = value if name not in _THREADS or value else flags[name][0]()
        except Exception as problem:
            session.ignored[name] = str(problem)
            continue
        session.applied[name] = value
    for name in _wanted:  # once all are set, for some are several names of one flag
        session.safely(_keep, torch, name)
    _apply_non_blocking(torch)


def _keep(torch, name):
    """Stands in the way of the script's own writes."""
    setters = {"intra_op_threads": "set_num_threads", "inter_op_threads": "set_num_interop_threads",
               "matmul_precision": "set_float32_matmul_precision",
               "deterministic": "use_deterministic_algorithms",
               "flush_denormal": "set_flush_denormal"}
    if name in setters:
        own = getattr(torch, setters[name])
        setattr(torch, setters[name], functools.wraps(own)(_dropping(name, own)))
        if name == "matmul_precision":
            _keep_products(torch, name)
        if name == "deterministic" and not session.knobs[name]:
            _keep_property(torch, "deterministic", name)
    elif name == "cudnn_benchmark":
        _keep_property(torch, "benchmark", name)
    elif name == "tf32":
        _keep_property(torch, "allow_tf32", name)
        _keep_products(torch, name)
    elif name == "sdpa":
        for switch in _SDPA:
            if hasattr(torch.backends.cuda, "enable_%s_sdp" % switch):
                setattr(torch.backends.cuda, "enable_%s_sdp" % switch, _dropping(name))
        call_after_import("torch.nn.attention", _keep_kernel)


def _keep_property(torch, attribute, name):
    descriptor = type(torch.backends.cudnn).__dict__.get(attribute)
    if hasattr(descriptor, "setter"):
        descriptor.setter = _dropping(name)


def _keep_products(torch, name):
    """torch.backends.cuda.matmul.allow_tf32 = True"""
    kind = type(torch.backends.cuda.matmul)
    own, drop = kind.__setattr__, _dropping(name)

    def __setattr__(self, attribute, value):
        if attribute not in ("allow_tf32", "fp32_precision"):
            own(self, attribute, value)
        elif getattr(self, attribute) != value:
            drop(value)

    kind.__setattr__ = __setattr__


def _keep_kernel(module):
    """`with sdpa_kernel(...)`, which enters and leaves in each step; the first one counts."""
    drop, is_told = _dropping("sdpa"), []

    def _sdpa_kernel(backends, *_):
        if not is_told:
            is_told.append(True)
            drop([str(getattr(b, "name", b)).lower() for b in backends])

    if hasattr(module, "_sdpa_kernel"):
        module._sdpa_kernel = _sdpa_kernel


def _dropping(name, own=None):
    def dropped(value=None, *_, **__):
        caller = sys._getframe(1).f_code.co_filename
        if own is not None and caller.endswith(_WORKERS):
            return own(value)  # torch gives each worker of a loader one thread
        if value != session.knobs[name]:
            where, library = find_place()
            session.resist(name, plain(value), text_of(where or library))

    return dropped


def _apply_non_blocking(torch):
    wanted = session.knobs.get("non_blocking")
    if wanted is None:
        return
    if not torch.cuda.is_available():
        session.ignored["non_blocking"] = "there is no GPU"
        return
    if not wanted:
        undoing.wait_for_copies(torch.Tensor)
        return
    copy, move = torch.Tensor.to, torch.Tensor.cuda

    @functools.wraps(copy)
    def to(self, *arguments, **named):
        if self.device.type == "cpu" and "non_blocking" not in named and len(arguments) < 3:
            if any(_is_gpu(a) for a in arguments + tuple(named.values())):
                named["non_blocking"] = True
        return copy(self, *arguments, **named)

    def _is_gpu(value):
        return isinstance(value, torch.device) and value.type == "cuda" \
            or isinstance(value, str) and value.startswith("cuda") or type(value) is int

    @functools.wraps(move)
    def cuda(self, *arguments, **named):
        if len(arguments) < 2:
            named.setdefault("non_blocking", True)
        return move(self, *arguments, **named)

    torch.Tensor.to, torch.Tensor.cuda = to, cuda
    session.applied["non_blocking"] = True


def verify(torch):
    """What is so now, not what was asked for."""
    for name, (read, _) in _flags(torch).items():
        seen = session.observed[name] = session.safely(read)
        if name in session.applied and seen != _wanted.get(name):
            session.resist(name, plain(seen), "?")
    session.observed["cudnn_deterministic"] = torch.backends.cudnn.deterministic
    for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "LD_PRELOAD", "PYTORCH_CUDA_ALLOC_CONF",
                 "ONEDNN_MAX_CPU_ISA"):
        if name in os.environ:
            session.observed.setdefault("environment", {})[name] = os.environ[name]
