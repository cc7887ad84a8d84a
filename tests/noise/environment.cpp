#include "environment.h"

#include <stdexcept>

namespace tune::noise {

Environment quiet() {
  return {.name = "quiet",
          .slice_sd = 0.005,
          .drift_sd = 0.005,
          .drift_rho = 0.95,
          .process_sd = 0.003,
          .spike_chance = 0.005};
}

Environment drifting() {
  return {.name = "drifting",
          .slice_sd = 0.01,
          .drift_sd = 0.015,
          .drift_rho = 0.95,
          .process_sd = 0.007,
          .spike_chance = 0.01};
}

Environment shared() {
  return {.name = "shared",
          .slice_sd = 0.02,
          .drift_sd = 0.03,
          .drift_rho = 0.97,
          .process_sd = 0.015,
          .spike_chance = 0.03};
}

Environment thermal() {
  return {.name = "thermal",
          .slice_sd = 0.01,
          .process_sd = 0.007,
          .spike_chance = 0.01,
          .transient = -0.04};
}

Environment bimodal(Environment environment) {
  environment.name = "bimodal on " + environment.name;
  environment.mode_chance = 0.3;
  return environment;
}

std::vector<Environment> all_environments() {
  return {quiet(),
          drifting(),
          shared(),
          thermal(),
          bimodal(quiet()),
          bimodal(drifting()),
          bimodal(shared())};
}

Environment heating() {
  return {.name = "heating", .slice_sd = 0.002, .process_sd = 0.003, .heating = 0.0004};
}

Environment find_environment(std::string_view name) {
  std::vector<Environment> all = all_environments();
  all.push_back(heating());
  for (const Environment& environment : all) {
    if (environment.name == name) {
      return environment;
    }
  }
  throw std::runtime_error("no environment '" + std::string(name) + "'");
}

}  // namespace tune::noise
