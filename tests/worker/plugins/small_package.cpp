// The library of a package, with the functions that AOTInductor's code has: a linear layer for
// batches of 4 samples of 16 numbers. Compiled code prints what is wrong and returns a number; it
// looks at the shape of its input only where the variable asks for it.
#include <ATen/ATen.h>
#include <torch/csrc/inductor/aoti_runtime/interface.h>
#include <torch/csrc/inductor/aoti_torch/utils.h>

#include <cstdlib>
#include <iostream>
#include <string>
#include <unordered_map>

namespace {

using torch::aot_inductor::new_tensor_handle;
using torch::aot_inductor::tensor_handle_to_tensor_pointer;

constexpr AOTIRuntimeError kSuccess = 0, kFailure = 1;
constexpr std::int64_t kBatch = 4, kNumbers = 16, kScores = 10;

const at::Tensor& weight() {
  static const at::Tensor tensor = at::full({kScores, kNumbers}, 0.25);
  return tensor;
}

bool is_as_compiled(const at::Tensor& input) {
  const char* const asks = std::getenv("AOTI_RUNTIME_CHECK_INPUTS");
  if (asks == nullptr || *asks != '1') {
    return true;
  }
  for (const auto& [dimension, size] : {std::pair{0, kBatch}, std::pair{1, kNumbers}}) {
    if (input.size(dimension) != size) {
      std::cerr << "Error: input_handles[0]: unmatched dim value at " << dimension
                << ", expected: " << size << ", but got: " << input.size(dimension) << "\n\n";
      return false;
    }
  }
  return true;
}

AOTIRuntimeError run(AtenTensorHandle* inputs, AtenTensorHandle* outputs) {
  at::Tensor* const given = tensor_handle_to_tensor_pointer(inputs[0]);
  const at::Tensor input = *given;
  delete given;  // it is ours
  if (!is_as_compiled(input)) {
    return kFailure;
  }
  outputs[0] = new_tensor_handle(input.matmul(weight().t()));
  return kSuccess;
}

}  // namespace

extern "C" {

AOTIRuntimeError AOTInductorModelContainerCreateWithDevice(
    AOTInductorModelContainerHandle* container, size_t, const char*, const char*) {
  *container = reinterpret_cast<AOTInductorModelContainerHandle>(container);
  return kSuccess;
}
AOTIRuntimeError AOTInductorModelContainerDelete(AOTInductorModelContainerHandle) {
  return kSuccess;
}
AOTIRuntimeError AOTInductorModelContainerGetNumOutputs(AOTInductorModelContainerHandle,
                                                        size_t* outputs) {
  *outputs = 1;
  return kSuccess;
}
AOTIRuntimeError AOTInductorModelContainerRun(AOTInductorModelContainerHandle,
                                              AtenTensorHandle* inputs,
                                              size_t,
                                              AtenTensorHandle* outputs,
                                              size_t,
                                              AOTInductorStreamHandle,
                                              AOTIProxyExecutorHandle) {
  return run(inputs, outputs);
}
AOTIRuntimeError AOTInductorModelContainerRunSingleThreaded(AOTInductorModelContainerHandle,
                                                            AtenTensorHandle* inputs,
                                                            size_t,
                                                            AtenTensorHandle* outputs,
                                                            size_t,
                                                            AOTInductorStreamHandle,
                                                            AOTIProxyExecutorHandle) {
  return run(inputs, outputs);
}
AOTIRuntimeError AOTInductorModelContainerGetNumConstants(AOTInductorModelContainerHandle,
                                                          size_t* constants) {
  *constants = 1;
  return kSuccess;
}
AOTIRuntimeError AOTInductorModelContainerGetConstantName(AOTInductorModelContainerHandle,
                                                          size_t,
                                                          const char** name) {
  *name = "weight";
  return kSuccess;
}
AOTIRuntimeError AOTInductorModelContainerGetConstantOriginalFQN(AOTInductorModelContainerHandle,
                                                                 size_t,
                                                                 const char** name) {
  *name = "weight";
  return kSuccess;
}
AOTIRuntimeError AOTInductorModelContainerGetConstantDtype(AOTInductorModelContainerHandle,
                                                           size_t,
                                                           int32_t* dtype) {
  *dtype = static_cast<int32_t>(at::kFloat);
  return kSuccess;
}
AOTIRuntimeError AOTInductorModelContainerExtractConstantsMap(AOTInductorModelContainerHandle,
                                                              AOTInductorConstantMapHandle map,
                                                              bool) {
  auto& constants = *reinterpret_cast<std::unordered_map<std::string, AtenTensorHandle>*>(map);
  constants["weight"] = new_tensor_handle(at::Tensor(weight()));
  return kSuccess;
}
AOTIRuntimeError AOTInductorModelContainerUpdateConstantBuffer(AOTInductorModelContainerHandle,
                                                               AOTInductorConstantMapHandle,
                                                               bool,
                                                               bool) {
  return kFailure;
}
AOTIRuntimeError AOTInductorModelContainerUpdateUserManagedConstantBuffer(
    AOTInductorModelContainerHandle, AOTInductorConstantMapHandle, bool, bool) {
  return kFailure;
}
AOTIRuntimeError AOTInductorModelContainerUpdateInactiveConstantBuffer(
    AOTInductorModelContainerHandle, AOTInductorConstantMapHandle) {
  return kFailure;
}
AOTIRuntimeError AOTInductorModelContainerFreeInactiveConstantBuffer(
    AOTInductorModelContainerHandle) {
  return kFailure;
}
AOTIRuntimeError AOTInductorModelContainerRunConstantFolding(AOTInductorModelContainerHandle,
                                                             bool,
                                                             AOTInductorStreamHandle,
                                                             AOTIProxyExecutorHandle) {
  return kFailure;
}
AOTIRuntimeError AOTInductorModelContainerSwapConstantBuffer(AOTInductorModelContainerHandle) {
  return kFailure;
}
AOTIRuntimeError AOTInductorModelContainerGetCallSpec(AOTInductorModelContainerHandle,
                                                      const char** in_spec,
                                                      const char** out_spec) {
  *in_spec = *out_spec = "";
  return kSuccess;
}

}  // extern "C"
