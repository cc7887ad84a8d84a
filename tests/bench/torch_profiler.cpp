#include "torch_profiler.h"

#include <torch/csrc/autograd/profiler_kineto.h>

#include <set>

namespace tune::bench {

namespace torch_profiler = torch::autograd::profiler;
using torch::profiler::impl::ActivityType;
using torch::profiler::impl::ProfilerConfig;
using torch::profiler::impl::ProfilerState;

TorchProfiler::TorchProfiler(Inputs inputs) {
  const ProfilerConfig config(ProfilerState::KINETO,
                              inputs == Inputs::recorded,
                              /*profile_memory=*/false,
                              /*with_stack=*/false,
                              /*with_flops=*/false,
                              /*with_modules=*/false);
  const std::set<ActivityType> activities{ActivityType::CPU};
  torch_profiler::prepareProfiler(config, activities);
  torch_profiler::enableProfiler(config, activities);
}

TorchProfiler::~TorchProfiler() {
  torch_profiler::disableProfiler();
}

}  // namespace tune::bench
