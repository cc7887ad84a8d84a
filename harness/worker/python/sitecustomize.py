"""Found first on PYTHONPATH by every Python of a trial: loads the agent, then what it hides.

Ubuntu, Homebrew and companies have a sitecustomize of their own; it runs as if ours were not there.
"""
import os
import sys

_here = os.path.dirname(os.path.abspath(__file__))


def _load_agent():
    try:
        import tune_agent

        tune_agent.attach("sitecustomize")
    except Exception as problem:  # a trial never breaks the script
        sys.stderr.write("tune: not attached: %r\n" % (problem,))


def _pass_on():
    import importlib.machinery
    import importlib.util

    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", sys.path)
    if spec is not None and spec.loader is not None:
        module = importlib.util.module_from_spec(spec)
        sys.modules["sitecustomize"] = module
        spec.loader.exec_module(module)


if os.environ.get("TUNE_TRIAL"):
    _load_agent()
# torch looks for entry points on sys.path at the end of its import; where it has none, nothing of
# the script may see our folder.
sys.path[:] = [p for p in sys.path if os.path.abspath(p or ".") != _here]
_pass_on()
