#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tune::noise {

/// How the logarithm of the time of one slice comes about: drift + offset of the process + its mode
/// + what is left of its transient + its
/// heating + the slice's own noise + a spike. All numbers are on that
/// scale, so 0.01 is 1 %.
struct Environment {
  std::string name;
  double slice_sd = 0;  ///< of each slice by itself
  double drift_sd = 0,
         drift_rho = 0;     ///< first-order autoregressive over all slices of all processes
  double process_sd = 0;    ///< of all slices of one process together
  double spike_chance = 0;  ///< of a slice that is 5 to 30 % longer
  double mode_chance = 0;   ///< of a process that is 3 % slower throughout
  double transient = 0;     ///< before the first step of a process, fades in 30 steps
  double heating = 0;       ///< with every step of a process, for ever
};

Environment quiet();
Environment drifting();
Environment shared();
Environment thermal();
Environment bimodal(Environment environment);
/// The four and the first three of them bimodal.
std::vector<Environment> all_environments();
/// A machine on which no process ever becomes steady: 8 % slower every 200 steps.
Environment heating();
/// One of these by its name: "shared", "bimodal on shared". Throws std::runtime_error.
Environment find_environment(std::string_view name);

}  // namespace tune::noise
