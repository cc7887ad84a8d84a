#include "gpu_torch_profile.h"

#include <ATen/record_function.h>
#include <cuda_runtime_api.h>
#include <torch/csrc/autograd/profiler_kineto.h>

#include <set>

namespace tune::gpu_items {

void torch_profile(const std::function<void()>& step, int steps, const std::string& file) {
  namespace torch_profiler = torch::autograd::profiler;
  using torch::profiler::impl::ActivityType;
  const torch::profiler::impl::ProfilerConfig config(torch::profiler::impl::ProfilerState::KINETO,
                                                     /*report_input_shapes=*/false,
                                                     /*profile_memory=*/false,
                                                     /*with_stack=*/false,
                                                     /*with_flops=*/false,
                                                     /*with_modules=*/false);
  const std::set<ActivityType> activities{ActivityType::CPU, ActivityType::CUDA};
  torch_profiler::prepareProfiler(config, activities);
  torch_profiler::enableProfiler(config, activities);
  for (int i = 0; i < steps; ++i) {
    RECORD_USER_SCOPE("ProfilerStep#" + std::to_string(i));
    step();
    (void)cudaDeviceSynchronize();
  }
  torch_profiler::disableProfiler()->save(file);
}

}  // namespace tune::gpu_items
