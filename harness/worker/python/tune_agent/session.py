"""What this process is to the trial, and the notes that it takes.

`ring` is in memory until the process has trained a step; then it claims its rank, and the ring
is in a file. A process that comes second, a fork of one that has claimed, a loader's worker: each
stays quiet. Hooks ask `thread`, the only thread whose notes are taken; 0 switches them off.
"""
import json
import os
import sys
import threading
import time

from . import ring as rings

folder = ""
spec = {}
knobs = {}
how = ""  # it was attached
torch = None
rank = 0
world = 1
current = threading.get_ident  # what hooks compare `thread` with
claimed = False
ring = None
thread = 0
_is_heir = False  # `thread` has asked a loader since another one ended; it may only fetch ahead
_trainer = None  # Python's own object of `thread`, None where another library has started it
pending = []  # what the training thread calls at its next hook
after_binding = []  # functions that make their ticks again for another ring
counts_batches = False
asks = False  # the thread that trains asks a loader
phases = []
applied, ignored, observed = {}, {}, {}
resisted = []
profile = None  # what became of the recorded steps
notes = []  # of the agent's own errors
wrote = None  # called with the path of a file that is written past Python's own open
_trial = None  # what tells it from a later one in the same folder
_attached_ns = _first_batch_ns = 0
_FIRST_CLAIMS_WITHIN_S = 3  # the ranks of a step end it together


def begin(trial_folder, trial_spec, attached):
    global folder, spec, knobs, how, counts_batches, ring, thread, _attached_ns, _trial
    folder, spec, how = trial_folder, trial_spec, attached
    _trial = _begin_of_trial()
    knobs = dict(spec.get("knobs") or {})
    counts_batches = spec.get("count") == "batches"
    ring = rings.scouting_ring()
    thread = threading.main_thread().ident
    _attached_ns = time.monotonic_ns()
    _say_first()
    safely(_look_for_shield)
    os.register_at_fork(after_in_child=_in_forked_child)


def _look_for_shield():
    """Its folders and its stand-ins for files are those of one view of the file system."""
    view = os.environ.get("TUNE_SHIELD")
    if view and view != str(os.stat("/proc/self/ns/mnt").st_ino):
        notes.append("the script runs outside of tune's shield, started by another program than its "
                     "command (srun, docker): what it writes stays, and changed files are not seen")


def safely(function, *arguments):
    """Runs it; an error of ours is a note in the facts, never one of the script."""
    try:
        return function(*arguments)
    except Exception as problem:
        note_problem(getattr(function, "__name__", "?"), problem)


def note_problem(where, problem):
    text = "%s: %r" % (where, problem)
    if len(notes) < 50 and text not in notes:
        notes.append(text)


def path_of(name):
    return os.path.join(folder, name)


# ---------------------------------------------------------------------------------- phases

def say(phase, moment=None):
    """Adds a line to the file of phases; of several ranks the first alone does."""
    moment = moment or time.monotonic_ns()
    phases.append((phase, moment))
    if rank == 0:
        with open(path_of("phases"), "a") as file:
            file.write("%s %d\n" % (phase, moment))


def _say_first():
    # Launchers and workers begin as well; the set-up is that of the first.
    try:
        descriptor = os.open(path_of("phases"), os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    except FileExistsError:
        return
    with os.fdopen(descriptor, "w") as file:
        file.write("setup %d\n" % _attached_ns)


# ---------------------------------------------------------------------------------- who is measured

def _in_forked_child():
    """A loader's worker, or whatever else the script forks: what has claimed is the parent."""
    global thread
    if claimed:
        sleep()
    else:
        thread = threading.main_thread().ident if thread else 0


def sleep():
    """From now on every hook passes on, and does nothing else."""
    global thread
    thread = 0
    bind()


def inherits():
    """Whether this thread takes the place of the one that trained, which has ended: some scripts
    start a thread for each epoch. The one that asks a loader may yet be one that fetches ahead."""
    global _is_heir
    if not claimed or not thread or in_worker() or _trainer is None or _trainer.is_alive():
        return False
    _is_heir = True
    adopt()
    return True


def trains():
    """A backward pass runs in another thread than `thread`: whether it becomes that one."""
    global _is_heir
    if _is_heir and not in_worker():
        adopt()
    elif not inherits():
        return False
    _is_heir = False
    return True


def adopt():
    """From now on the thread that calls this is the one that trains."""
    global thread, _trainer
    thread = current()
    _trainer = next((t for t in threading.enumerate() if t.ident == thread), None)
    bind()


def expect_compiler():
    """What torch.compile looks into must not see our notes: there the thread is nobody's. It is only
    asked where something is compiled, for that costs time."""
    global current
    compiles = getattr(getattr(torch, "compiler", None), "is_compiling", None)
    if not has_compiler() and compiles is not None:
        thread_of = threading.get_ident
        current = lambda: -1 if compiles() else thread_of()  # noqa: E731
        safely(_keep_compiler_out)
        bind()


def _keep_compiler_out():
    """Where what is compiled calls torch, which calls us, our functions would be compiled as well."""
    from torch._dynamo.eval_frame import skip_code as skip  # torch.compile would import it now
    ours = {name: module for name, module in sys.modules.items() if name.startswith("tune_agent.")}
    codes = [function.__code__ for name, module in ours.items() for function in vars(module).values()
             if getattr(function, "__module__", None) == name and hasattr(function, "__code__")]
    while codes:
        code = codes.pop()
        skip(code)
        codes += [inner for inner in code.co_consts if hasattr(inner, "co_code")]


def has_compiler():
    return current is not threading.get_ident


def bind():
    for function in after_binding:
        safely(function)


def wants_claim():
    """Called within a hook: the next one that begins a step claims."""
    if not claimed and claim not in pending:
        pending.append(claim)


def claim():
    """The first process of a rank that trains is the one that is measured."""
    global claimed, ring, rank, world
    rank, world = _rank_and_world()
    if in_worker():
        return
    if rank and _node() and not _shares_memory_with_first():
        sys.stderr.write("tune: rank %d runs on another machine than the first one, where its notes "
                         "cannot be read: it is not measured\n" % rank)
        return sleep()
    try:
        descriptor = os.open(path_of("claim.%d" % rank), os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(_machine())
        ring = rings.ring_in_file(path_of("notes.%d" % rank), rank, ring,
                                  spec.get("notes_capacity", rings.CAPACITY))
    except FileExistsError:
        return sleep()
    except OSError as problem:  # a full disk, a folder that is gone
        note_problem("claim", problem)
        sys.stderr.write("tune: no room for notes in %s: %s\n" % (folder, problem))
        return sleep()
    if _is_over():  # asked now, for from here on tune sees us
        os._exit(0)
    claimed = True
    bind()
    say("first-batch", _first_batch_ns or None)
    say("warmup")


def _is_over():
    """The trial has ended before we train, or another one has begun in its folder."""
    return os.path.exists(path_of("over")) or _begin_of_trial() != _trial


def _begin_of_trial():
    try:
        orders = os.stat(path_of("spec.json"))
    except OSError:
        return None
    return orders.st_ino, orders.st_ctime_ns


def _rank_and_world():
    try:
        distributed = torch.distributed
        if distributed.is_available() and distributed.is_initialized():
            return distributed.get_rank(), distributed.get_world_size()
    except Exception as problem:
        note_problem("rank", problem)
    return int(os.environ.get("RANK") or 0), int(os.environ.get("WORLD_SIZE") or 1)


def _node():
    """The number that a launcher gives the machine of this process; 0 is that of rank 0."""
    for name in ("GROUP_RANK", "SLURM_NODEID"):
        if os.environ.get(name, "").isdigit():
            return int(os.environ[name])
    return 0


def _shares_memory_with_first():
    """Notes are mapped, and what is mapped stays on its machine, also in a folder that many share.
    Launchers count nodes; several of them may run on one machine."""
    until = time.monotonic() + _FIRST_CLAIMS_WITHIN_S
    while True:
        try:
            with open(path_of("claim.0")) as file:
                first = file.read()
        except OSError:
            first = ""
        if first or time.monotonic() > until:
            return first == _machine()
        time.sleep(0.01)


def _machine():
    try:
        with open("/proc/sys/kernel/random/boot_id") as file:
            return file.read()
    except OSError:
        return os.uname().nodename


def begins_batches():
    """A loader of this process is asked: what came before the first one was the set-up."""
    global _first_batch_ns, asks
    asks = True
    _first_batch_ns = _first_batch_ns or time.monotonic_ns()


def in_worker():
    """A loader's worker; false before torch has come."""
    return torch is not None and torch.utils.data.get_worker_info() is not None


def resist(knob, value, where):
    """The script has set a knob of this trial to something else."""
    entry = {"name": knob, "value": json.dumps(value, default=str), "where": where}
    if len(resisted) < 20 and entry not in resisted:
        resisted.append(entry)
