#pragma once

#include "expression/expression.h"
#include "trial/trial_spec.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tune::scenario {

/// A `forbid` entry: cells for which it is true are not run.
struct Forbid {
  std::string text;  ///< as written
  expression::Expression parsed;
};

/// One question, from one YAML file; every value checked, every default filled in.
struct Scenario {
  std::string name, description;
  std::filesystem::path file;  ///< absolute
  std::string text;            ///< of the file, for the report and for resuming
  std::string sha256;          ///< of the text

  trial::Workload workload;
  trial::Data data;  ///< path absolute for image-folder; "" for generated-jpeg until made
  trial::KnobSettings baseline;  ///< every knob of the catalogue
  std::vector<std::pair<std::string, std::vector<trial::KnobValue>>> grid;  ///< in the file's order
  std::vector<Forbid> forbid;

  trial::Measure measure;
  std::int64_t rounds = 3;
  std::int64_t trial_timeout_ns = 120'000'000'000;
  std::string strategy = "grid";
  std::optional<std::int64_t> budget_ns;  ///< wall time of the whole campaign
  std::int64_t confirm_rounds = 6;        ///< fresh rounds of best cell and baseline
  std::uint64_t seed = 0;                 ///< of the campaign: order of trials
  bool has_seed = false;  ///< false: neither the file nor a flag gives one, a run draws it

  std::vector<std::string>
      notes;  ///< sections that are valid but that this version does not act on
};

}  // namespace tune::scenario
