"""What a framework calls a knob: where it makes the loader or the optimizer, or calls the model,
its setting has to change, not a line of the script."""
import os

# Folders of packages, the one that drives before the one that it uses.
_PACKAGES = (("transformers", "transformers"), ("ultralytics", "ultralytics"), ("timm", "timm"),
             ("pytorch_lightning", "lightning"), ("lightning", "lightning"),
             ("accelerate", "accelerate"), ("fastai", "fastai"), ("mmengine", "mmengine"),
             ("detectron2", "detectron2"))
_TRAINING_ARGUMENTS = {
    "num_workers": "dataloader_num_workers=%r", "pin_memory": "dataloader_pin_memory=%r",
    "prefetch_factor": "dataloader_prefetch_factor=%r",
    "persistent_workers": "dataloader_persistent_workers=%r",
    "batch_size": "per_device_train_batch_size=%r", "amp": "%s=True",
    "compile": "torch_compile=True",
    "tf32": "tf32=True", "deterministic": "full_determinism=%r"}
_LOADER = {name: "DataLoader(..., %s=%%r)" % name for name in (
    "num_workers", "pin_memory", "prefetch_factor", "persistent_workers", "batch_size")}
_SETTINGS = {
    "transformers": {k: "TrainingArguments(..., %s)" % v for k, v in _TRAINING_ARGUMENTS.items()},
    "lightning": dict(_LOADER, amp='Trainer(..., precision="%s-mixed")',
                      cudnn_benchmark="Trainer(..., benchmark=%r)",
                      deterministic="Trainer(..., deterministic=%r)"),
    "accelerate": dict(_LOADER, amp='Accelerator(mixed_precision="%s")',
                       compile="Accelerator(dynamo_backend=\"inductor\")"),
    "ultralytics": {"num_workers": "model.train(..., workers=%r)",
                    "batch_size": "model.train(..., batch=%r)", "amp": "model.train(..., amp=True)",
                    "compile": "model.train(..., compile=True)",
                    "deterministic": "model.train(..., deterministic=%r)"},
    "timm": {k: "create_loader(..., %s=%%r)" % k for k in (
        "num_workers", "pin_memory", "persistent_workers", "batch_size")},
    "fastai": {"num_workers": "DataLoaders(..., num_workers=%r)",
               "pin_memory": "DataLoaders(..., pin_memory=%r)",
               "batch_size": "DataLoaders(..., bs=%r)",
               "amp": "learner.to_bf16()", "channels_last": "learner.to_channelslast()"},
    "mmengine": dict({k: "train_dataloader = dict(..., %s=%%r)" % k for k in (
        "num_workers", "pin_memory", "prefetch_factor", "persistent_workers", "batch_size")},
        amp='optim_wrapper = dict(type="AmpOptimWrapper", dtype="bfloat16")',
        compile="compile = True", cudnn_benchmark="env_cfg = dict(cudnn_benchmark=%r)"),
    "detectron2": {"num_workers": "cfg.DATALOADER.NUM_WORKERS = %r",
                   "batch_size": "cfg.SOLVER.IMS_PER_BATCH = %r",
                   "amp": "cfg.SOLVER.AMP.ENABLED = True",
                   "cudnn_benchmark": "cfg.CUDNN_BENCHMARK = %r"},
}
_OFF = {
    ("transformers", "amp"): "TrainingArguments(..., bf16=False, fp16=False)",
    ("transformers", "compile"): "TrainingArguments(..., torch_compile=False)",
    ("lightning", "amp"): 'Trainer(..., precision="32-true")',
    ("accelerate", "amp"): 'Accelerator(mixed_precision="no")',
    ("accelerate", "compile"): 'Accelerator(dynamo_backend="no")',
    ("ultralytics", "amp"): "model.train(..., amp=False)",
    ("ultralytics", "compile"): "model.train(..., compile=False)",
    ("fastai", "amp"): "learner.to_fp32()",
    ("mmengine", "amp"): 'optim_wrapper = dict(type="OptimWrapper")',
    ("mmengine", "compile"): "compile = False",
    ("detectron2", "amp"): "cfg.SOLVER.AMP.ENABLED = False",
}
_OPTIMIZERS = {"transformers": 'TrainingArguments(..., optim="adamw_torch_%s")'}
# Read at the start by the framework itself.
_ENVIRONMENT = {
    ("transformers", "amp"): ("ACCELERATE_MIXED_PRECISION", "bf16"),
    ("accelerate", "amp"): ("ACCELERATE_MIXED_PRECISION", "bf16"),
    ("lightning", "amp"): ("PL_TRAINER_PRECISION", "bf16-mixed"),
}


def of_paths(*places):
    """The framework that the innermost libraries of these places belong to; "" for none known."""
    parts = {part for place in places if place for part in place["file"].split(os.sep)}
    return next((name for folder, name in _PACKAGES if folder in parts), "")


def setting(framework, knob, value):
    """The framework's own setting as a line of code; "" where none is known."""
    if value in ("none", False) and knob in ("amp", "compile", "channels_last"):
        return _OFF.get((framework, knob), "")
    if knob == "optimizer_impl":
        known = _OPTIMIZERS.get(framework) if value == "fused" else None
    else:
        known = _SETTINGS.get(framework, {}).get(knob)
    return known % value if known and "%" in known else known or ""


def environment(framework, knob, value):
    """(name, text) of a variable that the framework reads for the knob; None without one."""
    return _ENVIRONMENT.get((framework, knob)) if value == "bf16" else None
