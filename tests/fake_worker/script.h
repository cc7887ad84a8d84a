#pragma once

#include "cell_traits.h"
#include "environment.h"
#include "trial/knob_catalog.h"
#include "trial/trial_spec.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tune::fake {

/// A factor that applies when all these knobs have these values.
struct Interaction {
  std::map<std::string, std::string> when;
  double factor = 1;
};

/// Every n-th slice loses this much time waiting for data.
struct Stalls {
  std::int64_t every_slices = 0;  // 0: never
  std::int64_t ns = 0;
};

struct Memory {
  std::int64_t base_bytes = 100 << 20;
  std::int64_t bytes_per_sample = 1 << 20;
  std::int64_t limit_bytes = 0;  // 0: none
};

/// For trials whose spec requests a profile.
struct ProfiledWindow {
  double dilation_ratio = 1.05;  // of every recorded step
  std::int64_t lost_events = 0;
  bool cap_reached = false;
  std::string reason;  // why there is no trace; "" writes one
};

/// Why there is no GPU, as the worker says it.
struct NoGpu {
  std::string kind = "no_driver", text = "no NVIDIA driver (a fake)";
};

/// Something that goes wrong. An omitted condition matches every trial.
struct Behaviour {
  std::string cell, id, id_begins;
  std::int64_t round = 0;  // 0: every; of ids "r<round>-..."

  std::string action;  // main.cpp lists them
  std::string phase = "measure", how, message;
  std::int64_t signal = 0, code = 1, bytes = 0, ns = 0;
  bool ignores_term = false, leaves_group = false;
};

/// What the fake worker pretends; main.cpp documents the file.
struct Script {
  std::uint64_t seed = 0;
  double samples_per_s = 100;
  std::map<std::string, std::map<std::string, double>> effects;  // knob -> value -> factor
  std::vector<Interaction> interactions;
  noise::Environment environment;  // none: equal trials take equally long
  Stalls stalls;
  Memory memory;
  std::map<std::string, double> parts;  // share of a step, by phase name
  ProfiledWindow profile;
  std::vector<Behaviour> behaviours;
  std::map<std::string, CellTraits> cells;
  std::vector<trial::Knob> own_knobs;  // declared by a plug-in
  std::string gpu;                     // its name; "": none
  NoGpu no_gpu;
  std::string log;
  std::string factor_file;  // next to the data folder; "": none
};

/// `source` is a path, or the text itself when it begins with '{'. Throws std::exception.
Script read_script(const std::string& source);

/// The first behaviour that is for this trial.
std::optional<Behaviour> behaviour_for(const Script& script, const trial::TrialSpec& spec);

/// Samples per second of these knobs without any noise.
double rate_of(const Script& script, const trial::KnobSettings& knobs);

/// The number in the script's factor_file, 1 without one: the effect on speed of the file that a
/// build made. Throws std::exception when it cannot be read.
double built_factor(const Script& script, const trial::TrialSpec& spec);

}  // namespace tune::fake
