"""What the parameters of the trained models are like: type, layout, numbers that cost time."""
from . import models, session

_MOST_MODELS = 50


def verify():
    """What is so of the models now."""
    torch = session.torch
    seen = []
    for root in models.trained()[:_MOST_MODELS]:
        first = next(root.parameters(), None)
        seen.append({
            "class": type(root).__name__,
            "parameters": sum(p.numel() for p in root.parameters()),
            "device": str(first.device) if first is not None else None,
            "dtype": str(first.dtype) if first is not None else None,
            "channels_last": layout(root.parameters()),
            "denormal_ratio": session.safely(_denormal_ratio, root, torch),
            "unused_gradient_ratio": session.safely(_unused_gradient_ratio, root),
            "compiled": type(root).__name__ == "OptimizedModule" or id(root) in models.compiled})
    session.observed["models"] = seen


def half_type():
    """The type of half width that the trained models themselves are in; None without one."""
    torch = session.torch
    found = {p.dtype for root in models.trained() for p in root.parameters()}
    return next((str(t).replace("torch.", "") for t in (torch.bfloat16, torch.float16)
                 if t in found), None)


_MOST_OF_A_TENSOR = 1 << 20  # numbers, so that looking takes no memory to speak of


def _denormal_ratio(root, torch):
    """Among float32 parameters on the CPU, where such numbers take many times as long."""
    denormal = looked_at = 0
    tiny = torch.finfo(torch.float32).tiny
    for parameter in root.parameters():
        if parameter.dtype == torch.float32 and parameter.device.type == "cpu":
            size = parameter.detach().flatten()[:_MOST_OF_A_TENSOR].abs()
            denormal += int(((size > 0) & (size < tiny)).sum())
            looked_at += size.numel()
    return denormal / looked_at if looked_at else None


def _unused_gradient_ratio(root):
    """Of the numbers that get gradients, those that no optimizer updates: frozen, but not for
    autograd. None where nothing of the model itself is updated (ZeRO)."""
    updated = models.updated_parameters()
    used = unused = 0
    for parameter in root.parameters():
        if id(parameter) in updated:
            used += parameter.numel()
        elif parameter.requires_grad and parameter.grad is not None:
            unused += parameter.numel()
    return unused / (used + unused) if used else None


def layout(tensors):
    """Whether images and weights are in channels_last; None where none has four dimensions. With
    one channel or one pixel both layouts are the same but for strides that nothing uses."""
    torch, found = session.torch, None
    for tensor in tensors:
        if isinstance(tensor, torch.Tensor) and tensor.dim() == 4:
            last = tensor.is_contiguous(memory_format=torch.channels_last)
            if last != tensor.is_contiguous():
                return last
            found = last and tensor.stride(1) == 1 and tensor.stride(3) == tensor.shape[1] \
                if found is None else found
    return found
