#pragma once

#include "gpu_steps.h"

#include <ATen/ATen.h>
#include <ATen/cuda/CUDAGraph.h>

#include <string>
#include <utility>
#include <vector>

namespace tune::gpu_items {

constexpr int kSteps = 5;        // that are recorded
constexpr int kPlainSteps = 50;  // before them

/// The arguments of an item.
struct Call {
  worker::CudaPlugin& plugin;
  std::vector<std::string> arguments;
};

/// By the names that first_run.sh gives.
using Items = std::vector<std::pair<std::string, Answer (*)(Call& call)>>;

Items device_items();     ///< what the device is and can do
Items recording_items();  ///< what a session records
Items session_items();    ///< clocks, and more than one session
Items cost_items();       ///< what recording costs

/// The last line that this program prints for another item.
std::string answer_of(const std::string& words);

/// The number after "key": in one of our answers; 0 where it has none.
double number_in(const std::string& answer, const std::string& key);

bool has_passed(const std::string& answer);

/// Runs these items one after the other, each in a process of its own; all must pass.
Answer answers_of(const std::vector<std::string>& items);

void wait_for_device();

/// The kernels of a trace and their time.
void put_kernels(Answer& answer, const worker::DeviceTrace& trace);

/// Each step has as many kernels, and nothing was dropped.
void expect_whole(Answer& answer, const Recorded& recorded);

/// A captured step; its tensors live as long as it does.
class Replayed {
 public:
  Replayed();
  void replay() { graph_.replay(); }

 private:
  void compute();

  at::Tensor input_, output_;
  at::cuda::CUDAGraph graph_;
};

}  // namespace tune::gpu_items
