#pragma once

#include "scenario/complaints.h"
#include "scenario/scenario.h"
#include "scenario/yaml_node.h"

#include <string>

namespace tune::scenario {

/// `workload.command` with all that belongs to it, `flags` and `stop`: the user's own script.
/// Complains where one of them is there without a command, and about keys of models next to it.
void read_script(const YamlNode& root, Scenario& scenario, Complaints& complaints);

/// Complains about an axis of the grid that the script of the scenario cannot be given.
void check_script_axis(const YamlKey& key, const Scenario& scenario, Complaints& complaints);

/// Throws tune::Error where the scenario is of a script that nobody has looked at: what differs
/// from what it does by itself cannot be told then.
void expect_observed(const Scenario& scenario);

/// The scenario's text with `workload.observed` in it, as of what was seen. `device`: where the
/// script computes, cpu or cuda.
std::string with_observed(const std::string& text,
                          const trial::KnobSettings& observed,
                          const std::string& device);

}  // namespace tune::scenario
