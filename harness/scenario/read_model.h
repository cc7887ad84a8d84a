#pragma once

#include "scenario/complaints.h"
#include "scenario/scenario.h"
#include "scenario/yaml_node.h"

namespace tune::scenario {

/// Reads which model `workload:` names: `model`, `torchscript`, `package` or `plugin`, and what
/// goes with the latter three (`input`, `input_type`, `loss`); read_params() reads the params of
/// all. The files are not looked at: a run is read again where they are not.
void read_own_model(const YamlNode& root, Scenario& scenario, Complaints& complaints);

/// Complains about data that a model of the user's own cannot read, and about `source: plugin`
/// without a plug-in. Where the source holds tokens, they are what the model gets. After the data
/// have been read.
void check_own_data(const YamlNode& root, Scenario& scenario, Complaints& complaints);

/// Reads `workload.params`. Complains about what the model does not have or cannot have
/// (trial/workload_catalog.h), and about `image_size` and `classes` of a model that reads tokens.
void read_params(const YamlNode& root, trial::Workload& workload, Complaints& complaints);

/// Complains where the data holds images and the model reads tokens, or the other way round.
void check_model_reads_data(const YamlNode& root, const Scenario& scenario, Complaints& complaints);

}  // namespace tune::scenario
