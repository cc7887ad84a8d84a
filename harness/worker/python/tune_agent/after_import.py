"""Runs code of ours right after a module's own: nothing is imported before the script does."""
import sys


class _AfterImport:
    """On sys.meta_path until the module has come; its loader stays as it was."""

    def __init__(self, name, then):
        self.name, self.then, self.is_busy = name, then, False

    def find_spec(self, name, path=None, target=None):
        if name != self.name or self.is_busy:
            return None
        self.is_busy = True
        try:
            spec = self._ask_others(name, path, target)
        finally:
            self.is_busy = False
        if spec is not None and spec.loader is not None:
            self._watch(spec.loader)
        return spec

    def _ask_others(self, name, path, target):
        for finder in sys.meta_path:
            if finder is not self and hasattr(finder, "find_spec"):
                spec = finder.find_spec(name, path, target)
                if spec is not None:
                    return spec
        return None

    def _watch(self, loader):
        run = loader.exec_module

        def exec_module(module):
            del loader.exec_module
            run(module)
            if self in sys.meta_path:
                sys.meta_path.remove(self)
            self.then(module)

        loader.exec_module = exec_module


def call_after_import(name, then):
    """Calls `then`, which does not throw, with the module: now where it has been imported."""
    if name in sys.modules:
        then(sys.modules[name])
    else:
        sys.meta_path.insert(0, _AfterImport(name, then))
