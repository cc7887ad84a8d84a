#include "description.h"

#include "trial/fields.h"
#include "trial/trial_spec.h"

#include <nlohmann/json.hpp>

namespace tune::fake {

std::string describe(const Script& script) {
  nlohmann::json description = {{"protocol", trial::kProtocol},
                                {"version", "fake"},
                                {"torch_version", "2.11.0"},
                                {"cpu_capability", "FAKE"},
                                {"jpeg_version", "fake"}};
  if (script.gpu.empty()) {
    description["no_gpu"] = {{"kind", script.no_gpu.kind}, {"text", script.no_gpu.text}};
  } else {
    trial::GpuFacts gpu;
    gpu.name = script.gpu;
    description["gpu"] = trial::to_value(gpu);
  }
  return description.dump() + "\n";
}

}  // namespace tune::fake
