#include "worker/trial_device.h"

#include <stdexcept>

namespace tune::worker {

CudaLoad open_trial_device(const std::string& device, const CudaPlaces& places) {
  if (device == "cpu") {
    return {};
  }
  CudaLoad load = load_cuda(places);
  if (load.plugin == nullptr && device == "cuda") {
    std::string text = "workload.device: cuda cannot be had (";
    text += load.reason.text;
    text += ", " + load.reason.kind;
    text += ") cpu?";
    throw std::invalid_argument(text);
  }
  return load;
}

}  // namespace tune::worker
