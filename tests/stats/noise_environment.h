#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

// A machine whose noise is known, on which the methods of stats/ are proven by seeds.
namespace tune::noise {

/// Equal for one seed on every machine and with every standard library.
class RandomStream {
 public:
  explicit RandomStream(std::uint64_t seed) : bits_(seed) {}
  double uniform();  ///< in (0, 1)
  double normal();   ///< mean 0, standard deviation 1
  bool chance(double probability) { return uniform() < probability; }

 private:
  std::mt19937_64 bits_;
};

/// How the logarithm of the time of one slice comes about; all numbers are on that scale, so 0.01
/// is 1 %.
struct Environment {
  std::string name;
  double slice_sd = 0;  ///< of each slice by itself
  double drift_sd = 0,
         drift_rho = 0;     ///< first-order autoregressive over all slices of all processes
  double process_sd = 0;    ///< of all slices of one process together
  double spike_chance = 0;  ///< of a slice that is 5 to 30 % longer
  double mode_chance = 0;   ///< of a process that is 3 % slower throughout
  double transient = 0;     ///< before the first step of a process, fades in 30 steps
};

Environment quiet();
Environment drifting();
Environment shared();
Environment thermal();
Environment bimodal(Environment environment);
/// The four and the first three of them bimodal.
std::vector<Environment> all_environments();

/// The machine from its first slice to its last, whatever runs on it.
class Machine {
 public:
  Machine(Environment environment, std::uint64_t seed);

  /// A new process, `warm_up_steps` of which pass before its first slice.
  void start_process(double warm_up_steps = 120);
  /// ln(time of the next slice / time on a machine without noise).
  double next_slice(double steps = 20);
  RandomStream& random() { return random_; }

 private:
  Environment environment_;
  RandomStream random_;
  double drift_ = 0, process_ = 0, steps_ = 0;
};

/// Offset of one process as Machine draws it, for two processes that live side by side.
double draw_process_offset(const Environment& environment, RandomStream& random);

}  // namespace tune::noise
