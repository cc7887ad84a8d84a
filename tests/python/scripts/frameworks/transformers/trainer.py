"""As far as a checkpoint goes, the package of this name."""
import time

from safetensors.torch import save_file


class Trainer:
    def _save_checkpoint(self, model):
        time.sleep(0.003)
        save_file(model.state_dict(), "model.safetensors")
        time.sleep(0.003)
