#pragma once

#include "environment.h"
#include "random_stream.h"

#include <cstdint>

// A machine whose noise is known, on which methods are proven by seeds.
namespace tune::noise {

/// What all processes on a machine share, from slice to slice; stationary from the first one on.
class Drift {
 public:
  Drift(const Environment& environment, RandomStream& random);
  double next(RandomStream& random);

 private:
  double rho_, innovation_, now_;
};

/// Offset and mode of one process.
double draw_process_offset(const Environment& environment, RandomStream& random);

/// A slice's own noise and its spike.
double draw_slice(const Environment& environment, RandomStream& random);

/// What a process owes to its age of so many steps: what is left of the transient, and the heating.
double ageing_at(const Environment& environment, double steps);

/// The machine from its first slice to its last, whatever runs on it: all noise from one stream.
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
  Drift drift_;
  double process_ = 0, steps_ = 0;
};

}  // namespace tune::noise
