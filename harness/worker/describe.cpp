#include "worker/describe.h"

#include "trial/fields.h"
#include "trial/trial_spec.h"
#include "worker/knob/all_knobs.h"
#include "worker/worker_facts.h"
#include "worker/workload/names.h"

#include <nlohmann/json.hpp>

namespace tune::worker {

std::string describe_worker(const CudaLoad& cuda) {
  const trial::WorkerFacts facts = read_worker_facts(cuda.plugin.get());
  nlohmann::ordered_json description = {{"protocol", trial::kProtocol},
                                        {"version", TUNE_VERSION},
                                        {"torch_version", facts.torch_version},
                                        {"cpu_capability", facts.cpu_capability},
                                        {"jpeg_version", facts.jpeg_version},
                                        {"device", facts.device},
                                        {"knobs", knob_names()},
                                        {"workloads", workload_names()}};
  if (facts.gpu) {
    description["gpu"] = trial::to_value(*facts.gpu);
  } else {
    description["no_gpu"] = {{"kind", cuda.reason.kind}, {"text", cuda.reason.text}};
  }
  // Words of a driver may be any bytes.
  return description.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace tune::worker
