#pragma once

#include "scenario/complaints.h"
#include "scenario/scenario.h"
#include "scenario/yaml_node.h"

namespace tune::scenario {

// One section of a scenario each: fill it in, and complain about what the schema cannot say.
void read_workload(const YamlNode& root, Scenario& scenario, Complaints& complaints);
void read_data(const YamlNode& root, Scenario& scenario, Complaints& complaints);
void read_measure(const YamlNode& root, Scenario& scenario, Complaints& complaints);
void read_profile(const YamlNode& root, Scenario& scenario, Complaints& complaints);
void read_search(const YamlNode& root, Scenario& scenario, Complaints& complaints);
void read_baseline(const YamlNode& root, Scenario& scenario, Complaints& complaints);
void read_grid(const YamlNode& root, Scenario& scenario, Complaints& complaints);
void read_forbid(const YamlNode& root, Scenario& scenario, Complaints& complaints);
void read_objective(const YamlNode& root, Scenario& scenario, Complaints& complaints);
void read_constraints(const YamlNode& root, Scenario& scenario, Complaints& complaints);
void read_gate(const YamlNode& root, Scenario& scenario, Complaints& complaints);
void check_last_batch(const YamlNode& root, Scenario& scenario, Complaints& complaints);

}  // namespace tune::scenario
