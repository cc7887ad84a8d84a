#pragma once

#include "scenario/complaints.h"
#include "scenario/scenario.h"
#include "scenario/yaml_node.h"

namespace tune::scenario {

/// Reads `workload.params`. Complains about what the model does not have or cannot have
/// (trial/model_params.h), and about `image_size` and `classes` of a model that reads tokens.
void read_params(const YamlNode& root, trial::Workload& workload, Complaints& complaints);

/// Complains where the data holds images and the model reads tokens, or the other way round.
void check_model_reads_data(const YamlNode& root, const Scenario& scenario, Complaints& complaints);

}  // namespace tune::scenario
