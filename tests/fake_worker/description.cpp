#include "description.h"

#include "base/fields.h"
#include "trial/trial_spec.h"
#include "trial/worker_description.h"

#include <nlohmann/json.hpp>

namespace tune::fake {

std::string describe(const Script& script) {
  trial::WorkerDescription worker;
  worker.protocol = trial::kProtocol;
  worker.version = "fake";
  worker.torch_version = "2.11.0";
  worker.cpu_capability = "FAKE";
  worker.jpeg_version = "fake";
  if (script.gpu.empty()) {
    worker.no_gpu_kind = script.no_gpu.kind;
    worker.no_gpu_text = script.no_gpu.text;
  } else {
    worker.gpu.emplace();
    worker.gpu->name = script.gpu;
  }
  return sorted_json_text(to_value(worker)) + "\n";
}

}  // namespace tune::fake
