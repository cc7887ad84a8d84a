"""Arguments of the loaders that train."""
import ast

from . import ByHand, frameworks, places
from .arguments import given_node, literal_of, set_value
from .places import dotted

POSITIONS = {"batch_size": 1, "num_workers": 5, "pin_memory": 7, "multiprocessing_context": 11}
KNOBS = ("num_workers", "prefetch_factor", "persistent_workers", "pin_memory", "in_order",
         "multiprocessing_context")
_OF_WORKERS = {"prefetch_factor": None, "persistent_workers": False,
               "multiprocessing_context": None}
_CLASSES = ("DataLoader", "StatefulDataLoader")
_COPIED_BY = ("accelerate", "lightning")

# A loader asks for __getitems__ first, and gives what it returns to collate_fn.
_GET_ITEMS = '''# in the dataset; the loader gets collate_fn=as_it_is
def __getitems__(self, indices):
    return self.inputs[indices], self.labels[indices]

# next to it, for workers need a function with a name
def as_it_is(batch):
    return batch'''
_KEPT = '''class Kept(torch.utils.data.Dataset):  # around the dataset
    def __init__(self, inner):
        self.samples = [inner[i] for i in range(len(inner))]
    def __len__(self):
        return len(self.samples)
    def __getitem__(self, index):
        return self.samples[index]'''
_CODE = {
    "batch_fetch": ("the dataset has to give a whole batch at once", _GET_ITEMS),
    "preload": ("the dataset has to keep its samples in memory", _KEPT),
    "worker_nice": ("a function for the workers is wanted",
                    "DataLoader(..., worker_init_fn=nicer)  # def nicer(_): os.nice(%s)"),
}


def write_fetching(change, knob, value):
    """What a loader fetches, and how, set in the calls that make the training loaders."""
    why, code = _CODE[knob]
    by_hand = ByHand(why, code % value if knob == "worker_nice" else code)
    if knob == "worker_nice" or not change.loaders:
        raise by_hand
    for loader in _once(change.loaders):
        if loader.get("place") is None or loader.get("library"):
            raise by_hand
        source, call, _, is_torchs = _call_of(change, loader, code)
        dataset = given_node(call, "dataset", 0)
        if not is_torchs or not dotted(dataset):
            raise by_hand  # an expression is not evaluated twice
        _check_names(loader, call, loader["place"])
        if knob == "preload":
            _refuse_repeated(change, source, call, code)
            name = dotted(dataset)
            set_value(source, dataset, "[%s[i] for i in range(len(%s))]" % (name, name))
        else:
            _fetch_batches(change, loader, source, call, by_hand)


def _refuse_repeated(change, source, call, suggestion):
    """Samples that are read wherever a loader is made are to be read once."""
    in_loop = any(isinstance(owner, (ast.For, ast.While))
                  for owner, _, _ in places.chain_of(source, call))
    if in_loop or len(_once(change.loaders)) < len(change.loaders):
        raise ByHand("the loader is made several times, and the samples should be read once",
                     suggestion)
    if places.scope_of(source, call) is not source.tree:
        change.notes.append("preload: the samples are read where the loader is made, on line %d; "
                            "if that runs in each epoch, read them before" % call.lineno)


def _call_of(change, loader, suggestion):
    """The source and the call that makes a loader, the name of what is called, and whether that is
    torch's own class."""
    place, library = loader["place"], loader.get("library")
    source = change.source(place, suggestion)
    call = places.find_call(source, place, () if library else (loader["class"],))
    name = places.imported_name(source, places.name_of(call.func))
    return source, call, name, not library and name == loader["class"] and name in _CLASSES


def _fetch_batches(change, loader, source, call, by_hand):
    """A sampler of batches: torch then asks a dataset for all indices of a batch at once, which
    a TensorDataset answers with one indexing for each tensor."""
    asked = loader["asked"]
    size = given_node(call, "batch_size", POSITIONS["batch_size"])
    has_own = any(k.arg in (None, "sampler", "batch_sampler", "generator", "collate_fn")
                  for k in call.keywords)
    if (loader["dataset"] != "TensorDataset" or size is None or has_own or len(call.args) > 2
            or not _imports_torch(source)):
        raise by_hand
    order = "RandomSampler" if asked.get("shuffle") else "SequentialSampler"
    batches = "torch.utils.data.BatchSampler(torch.utils.data.%s(%s), %s, drop_last=%s)" % (
        order, dotted(given_node(call, "dataset", 0)), source.text(size),
        bool(asked.get("drop_last")))
    edit = change.call_edit(source, call)
    edit.set("batch_size", None, POSITIONS["batch_size"])
    for name in ("shuffle", "drop_last"):
        if given_node(call, name) is not None:
            edit.set(name, False)
    edit.set_code("sampler", batches)


def _imports_torch(source):
    return any(isinstance(node, ast.Import) and any(
        (a.asname or a.name.split(".")[0]) == "torch" for a in node.names)
        for node in source.tree.body)


def trained(facts, request):
    """The loaders that the knobs are for: those of the script behind the copies of frameworks."""
    chosen = request.get("training_loaders")
    known = facts.get("loaders") or []
    numbers = range(len(known)) if chosen is None else chosen
    return [_original(known, known[n]) for n in numbers if 0 <= n < len(known)]


def _original(known, loader):
    """accelerate and Lightning make each loader again, from one that the script has made."""
    if frameworks.of_paths(loader.get("library")) not in _COPIED_BY:
        return loader
    same = ("dataset", "dataset_length", "batch_size")
    made = [l for l in known if l.get("place") and not l.get("library")
            and all(l.get(k) == loader.get(k) for k in same)]
    return made[0] if made and len({places.text_of(l["place"]) for l in made}) == 1 else loader


def workers_of(loaders, knobs):
    """Worker processes with the setting."""
    asked = loaders[0]["asked"].get("num_workers", 0) if loaders else 0
    return knobs.get("num_workers", asked)


def is_so(loaders, knob, value):
    """Whether the script itself asks for just that."""
    usual = {"num_workers": 0, "pin_memory": False, "prefetch_factor": None, "in_order": True,
             "persistent_workers": False, "multiprocessing_context": None, "batch_size": 1}
    return bool(loaders) and all(
        loader["asked"].get(knob, usual[knob]) == value for loader in loaders)


def write(change, knob, value):
    """Sets a knob in each call that makes a training loader."""
    if not change.loaders:
        raise ByHand("no loader of torch trains here")
    if knob in _OF_WORKERS and value and not workers_of(change.loaders, change.knobs):
        change.notes.append("%s is left out: there are no workers that it could belong to" % knob)
        return
    for loader in _once(change.loaders):
        _set(change, loader, knob, value)
    if knob == "num_workers":
        _note_guard(change, value)


def drop_what_needs_workers(change):
    """With no workers, torch refuses the arguments that belong to them."""
    if change.knobs.get("num_workers") != 0:
        return
    for knob, nothing in _OF_WORKERS.items():
        for loader in _once(change.loaders):
            if loader["asked"].get(knob) not in (None, False) and knob not in change.knobs:
                change.attempt(knob, lambda k=knob, l=loader, n=nothing: _set(change, l, k, n))


def _once(loaders):
    """Loaders that are made again each epoch have one place."""
    found = {}
    for loader in loaders:
        place = loader.get("place")
        found.setdefault(str(place and (place["file"], place["line"], place.get("range"))), loader)
    return list(found.values())


def _set(change, loader, knob, value):
    place, library = loader.get("place"), loader.get("library")
    framework = frameworks.of_paths(library)
    suggestion = frameworks.setting(framework, knob, value) or "%s=%r" % (knob, value)
    if place is None:
        raise ByHand("the loader is not made in the script", suggestion)
    source, call, name, is_torchs = _call_of(change, loader, suggestion)
    if not is_torchs and given_node(call, knob) is None:
        maker = (framework or library["file"]) if library else name or "an expression"
        raise ByHand("%s makes the loader at %s" % (maker, places.text_of(place)), suggestion)
    if is_torchs:
        _check_names(loader, call, place)
    edit = change.call_edit(source, call)
    edit.set(knob, value, POSITIONS.get(knob) if is_torchs else None)


def _check_names(loader, call, place):
    """A call that passes other arguments than the trial's is another one."""
    asked = set(loader["asked"]) | {"dataset", "sampler"}
    given = {k.arg for k in call.keywords if k.arg is not None}
    if not given <= asked:
        places.refuse_changed(place)
    for name in given & set(loader["asked"]):
        is_constant, value = literal_of(given_node(call, name))
        if is_constant and isinstance(value, (int, float, str)) and value != loader["asked"][name]:
            places.refuse_changed(place)


def _note_guard(change, value):
    """Workers that are not forked import the script: its loop must not run in them."""
    python = tuple(int(p) for p in change.facts.get("python", "3.8").split(".")[:2])
    spawns = change.knobs.get("multiprocessing_context") in ("spawn", "forkserver")
    for loader in change.loaders:
        place = loader.get("place")
        if value and place and place.get("function") == "<module>" and (
                spawns or python >= (3, 14)):
            source = change.source(place, "")
            call = places.find_call(source, place, (loader["class"],))
            guards = [o for o, _, _ in places.chain_of(source, call) if isinstance(o, ast.If)]
            if not any("__name__" in source.text(g.test) for g in guards):
                change.notes.append(
                    'the loop at %s has to stand under `if __name__ == "__main__":`, for the '
                    "workers of Python 3.14 import the script" % places.text_of(place))
                return
