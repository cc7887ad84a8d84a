"""A training as PyTorch's profiler for Python records it: no rows but those that PyTorch writes by itself."""

import contextlib

from trace_rows import BACKWARD, H100, HOST, MS, US, Trace

A100 = {"name": "NVIDIA A100-SXM4-40GB", "totalGlobalMem": 42505273344, "computeMajor": 8, "computeMinor": 0, "numSms": 108}
V100 = {"name": "Tesla V100-SXM2-16GB", "totalGlobalMem": 16945512448, "computeMajor": 7, "computeMinor": 0, "numSms": 80}
CPU = None

FUSED_ADAMW = ("void at::native::(anonymous namespace)::multi_tensor_apply_kernel<at::native::(anonymous namespace)::"
               "FusedOptimizerTensorListMetadata<4>, at::native::(anonymous namespace)::FusedAdamMathFunctor<float, 4, (at::native::"
               "(anonymous namespace)::ADAM_MODE)1, false> >")
ADD = ("void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, std::array<char*, 3ul> >(int, "
       "at::native::CUDAFunctor_add<float>, std::array<char*, 3ul>)")
FILL = ("void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>, std::array<char*, 1ul> >(int, "
        "at::native::FillFunctor<float>, std::array<char*, 1ul>)")
NORM = ("void at::native::(anonymous namespace)::multi_tensor_apply_kernel<at::native::(anonymous namespace)::TensorListMetadata<1>, "
        "at::native::(anonymous namespace)::LpNormFunctor<float, (at::native::NormType)1, float, 1, 1, 0> >")


class Training(Trace):
    """`device` CPU: operators take their time on the host, and autograd runs on the thread that calls it."""

    def __init__(self, device=A100, shapes=True, **settings):
        super().__init__(device=device or H100, devices=1 if device else 0, **settings)
        self.is_cpu, self.shapes, self.sequence, self.tape = device is CPU, shapes, 1000, []
        self.head = {"record_shapes": 1} if shapes else {}

    @contextlib.contextmanager
    def op(self, name, dims=None, types="float", host=4 * US, sequence=None, forward_thread=0, strides=None):
        args = {} if sequence is None else {"Sequence number": sequence, "Fwd thread id": forward_thread}
        if self.shapes and strides is not None:
            args["Input Strides"] = strides
        known = dims if self.shapes else None
        with self.operator(name, known, None if known is None else [types if size else "Scalar" for size in known], host, **args):
            yield

    def run(self, kernels, call=5 * US, **shape):
        """Kernels as (name, ns); on a CPU the host computes for as long."""
        for name, length in kernels:
            if self.is_cpu:
                self.now += length
            else:
                self.kernel(name, length, call=call, **shape)

    def forward(self, name, node, kernels, back=(), inside=(), dims=None, types="float", parameters=1, host=6 * US, strides=None,
                call=5 * US, **shape):
        """`inside`: operators around the kernels, the outer one first; `back`: (operator, kernels) of the way back."""
        self.sequence += 1
        with contextlib.ExitStack() as rows:
            for operator in (name, *inside):
                rows.enter_context(self.op(operator, dims, types, host, self.sequence, strides=strides))
                host = 2 * US
            self.run(kernels, call, **shape)
        self.tape.append((node, self.sequence, back, dims, types, parameters, strides))

    def backward(self, host=6 * US, call=5 * US, retain_graph=False, **shape):
        self.thread = HOST if self.is_cpu else BACKWARD
        for node, sequence, back, dims, types, parameters, strides in reversed(self.tape):
            with self.op(f"autograd::engine::evaluate_function: {node}", host=host, sequence=sequence, forward_thread=1):
                with self.op(node, sequence=sequence, forward_thread=1, host=2 * US):
                    for operator, kernels in back:
                        with self.op(operator, dims[-2:] if dims and operator == "aten::mm" else dims, types, strides=strides):
                            self.run(kernels, call, **shape)
            for _ in range(parameters):
                with self.op("autograd::engine::evaluate_function: torch::autograd::AccumulateGrad", host=1 * US):
                    with self.op("torch::autograd::AccumulateGrad", [[1024, 1024]], host=1 * US):
                        pass
        self.tape, self.thread = self.tape if retain_graph else [], HOST

    def to_device(self, size, length, pinned=False, staging=0):
        """batch.to("cuda"): from pageable memory the call waits until it is done, and not less than `staging`."""
        with self.op("aten::to", [[size // 4]]), self.op("aten::_to_copy", [[size // 4]], host=2 * US):
            with self.op("aten::empty_strided", host=3 * US):
                pass
            with self.op("aten::copy_", [[size // 4], [size // 4]], host=3 * US):
                if pinned:
                    self.copy("HtoD (Pinned -> Device)", size, length)
                else:
                    self.waiting_copy("HtoD (Pageable -> Device)", size, length, host=staging)
                    self.call("cudaStreamSynchronize", 3 * US)

    def work_ahead(self, length=25 * MS):
        """What the device does before the first step, for longer than the host needs to begin it."""
        self.kernel("ampere_bf16_s16816gemm_bf16_128x128_ldg8_f2f_stages_32x5_tn", length)

    def wait_for_device(self, lead=25 * MS):
        """The host runs no more than `lead` ahead of the device."""
        self.call("cudaEventSynchronize", max(2 * US, self.free.get(7, 0) - lead - self.now))

    def optimizer(self, name, updates, call=5 * US):
        """`updates`: (operator, kernels); what the optimizer itself does takes 3 us for each."""
        with self.row(f"Optimizer.step#{name}.step"):
            for operator, kernels in updates:
                self.now += 3 * US
                with self.op(operator, [[1024, 1024], [1024, 1024], []]):
                    self.run(kernels, call)

    def fused_adamw(self, length=300 * US):
        self.optimizer("AdamW", [("aten::_fused_adamw_", [(FUSED_ADAMW, length)])])

    def zero_grad(self, name="AdamW", parameters=0, length=3 * US, host=4 * US):
        """With parameters: set_to_none=False."""
        with self.row(f"Optimizer.zero_grad#{name}.zero_grad"):
            self.now += 15 * US
            for _ in range(parameters):
                with self.op("aten::zero_", [[1024, 1024]], host=host), self.op("aten::fill_", [[1024, 1024], []], host=2 * US):
                    self.run([(FILL, length)])

    def clip_gradients(self, parameters=20):
        with self.op("aten::_foreach_norm"):
            self.run([(NORM, 40 * US)])
        for _ in range(parameters):
            with self.op("aten::to", host=1 * US):
                pass
            self.now += 2 * US
        for name in ("aten::stack", "aten::linalg_vector_norm", "aten::clamp", "aten::_foreach_mul_"):
            self.now += 10 * US
            with self.op(name):
                self.run([(ADD, 5 * US)])

    def read_loss(self):
        with self.op("aten::item", [[]]), self.op("aten::_local_scalar_dense", [[]], host=2 * US):
            if not self.is_cpu:
                self.copy("DtoH (Device -> Pageable)", 4, 2 * US)
                self.synchronise()
