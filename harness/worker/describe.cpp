#include "worker/describe.h"

#include "trial/trial_spec.h"
#include "worker/knob/all_knobs.h"
#include "worker/worker_facts.h"
#include "worker/workload/names.h"

#include <nlohmann/json.hpp>

namespace tune::worker {

std::string describe_worker() {
  const trial::WorkerFacts facts = read_worker_facts();
  const nlohmann::ordered_json description = {{"protocol", trial::kProtocol},
                                              {"version", TUNE_VERSION},
                                              {"torch_version", facts.torch_version},
                                              {"cpu_capability", facts.cpu_capability},
                                              {"jpeg_version", facts.jpeg_version},
                                              {"knobs", knob_names()},
                                              {"workloads", workload_names()}};
  return description.dump(2) + "\n";
}

}  // namespace tune::worker
