"""As far as a checkpoint goes, the package of this name."""
import time


def save_file(tensors, filename, metadata=None):
    time.sleep(0.004)
