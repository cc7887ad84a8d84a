#pragma once

#include "scenario/complaints.h"
#include "scenario/scenario.h"
#include "scenario/yaml_node.h"

namespace tune::scenario {

/// Reads which model `workload:` names: `model`, `torchscript` or `plugin`, and what goes with the
/// latter two (`input`, `input_type`, `loss`); read_params() reads the params of all. The files are
/// not looked at: a run is read again where they are not.
void read_own_model(const YamlNode& root, Scenario& scenario, Complaints& complaints);

/// Complains about data that a model of the user's own cannot read, and about `source: plugin`
/// without a plug-in. Where the source holds tokens, they are what the model gets. After the data
/// have been read.
void check_own_data(const YamlNode& root, Scenario& scenario, Complaints& complaints);

}  // namespace tune::scenario
