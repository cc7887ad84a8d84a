#pragma once

#include "base/error.h"
#include "base/expression/expression.h"
#include "scenario/gate_section.h"
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

/// What is best. The metrics are those of `constraints:`, too, but for mfu.
struct Objective {
  /// throughput, mfu, epoch_time, step_time, peak_memory_bytes, energy_per_sample
  std::string metric = "throughput";
  bool is_minimized = false;
};

/// A limit that a cell must keep to be recommended, in the metric's base unit: seconds, bytes,
/// ratios 0-1, samples per second.
struct Constraint {
  std::string metric;
  std::optional<double> min, max;
  std::string min_text, max_text;  ///< as written
};

/// A part of the cells that a machine of its own measures: the second of four.
struct Shard {
  std::int64_t index = 1, of = 1;
  bool operator==(const Shard&) const = default;
};

/// One question, from one YAML file; every value checked, every default filled in.
struct Scenario {
  std::string name, description;
  std::filesystem::path file;  ///< absolute
  std::string text;            ///< of the file, for the report and for resuming
  std::string sha256;          ///< of the text

  trial::Workload workload;
  std::string build;  ///< `workload.build`: a command that makes what the scenario names, or ""
  trial::Data data;   ///< path absolute for the user's own; "" for generated data until made
  /// Where the paths of the user's own model and data are written: "training.yaml:5:19".
  std::string model_place, data_place;
  trial::KnobSettings baseline;  ///< every knob of the catalogue
  std::vector<std::pair<std::string, std::vector<trial::KnobValue>>> grid;  ///< in the file's order
  std::vector<Forbid> forbid;
  std::vector<Forbid> only;  ///< of the command line: of the grid only cells for which all are true
  bool exhaustive = false;   ///< of the command line: the search is audited by measuring every cell
  std::optional<Shard> shard;      ///< of the command line: these cells only, and no confirmation
  std::int64_t joined_shards = 0;  ///< of a run that was joined from so many: its search is over

  trial::Measure measure;
  bool warmup_is_auto = true;           ///< false: the file or a flag says how long
  trial::Profile profile;               ///< how steps are recorded, in trials that are asked to
  bool activities_are_written = false;  ///< else `cuda` is recorded where trials have a GPU
  std::string profile_cells =
      "best";  ///< none | baseline | best | all: measure/campaign/profiled_cell.h
  GateSection gate;
  std::int64_t rounds = 3;
  std::int64_t trial_timeout_ns = 120'000'000'000;
  Objective objective;
  std::vector<Constraint> constraints;
  double price_per_hour = 0;              ///< of the machine, in any currency; 0: not said
  std::string strategy = "guided";        ///< guided | grid | random
  std::optional<std::int64_t> budget_ns;  ///< wall time of the whole campaign
  std::int64_t confirm = 2;               ///< of the best cells, at most so many are confirmed
  /// At most so many fresh rounds; nothing: as many as the looks at the differences need.
  std::optional<std::int64_t> confirm_rounds;
  /// From the command line: pairs continue until half of the gain's interval is at most this ratio.
  std::optional<double> confirm_until;
  /// From the command line: which recommendations get fresh pairs: "" those that the search's
  /// candidates happen to be, "none" (no candidate either), "all", or the first few: "top:3".
  std::string verify;
  std::uint64_t seed = 0;  ///< of the campaign: order of trials
  bool has_seed = false;   ///< false: neither the file nor a flag gives one, a run draws it

  std::vector<std::string> notes;  ///< what is valid and has no effect

  /// Whether fresh pairs follow the search.
  bool confirms() const { return verify != "none" && !shard; }

  // Compiled once, in scenario.cpp: they are long, and many files hold one.
  Scenario();
  Scenario(const Scenario&);
  Scenario(Scenario&&) noexcept;
  Scenario& operator=(const Scenario&);
  Scenario& operator=(Scenario&&) noexcept;
  ~Scenario();
};

/// What names a scenario that came without a file: its name is free, and relative paths in it are
/// relative to the current folder.
inline constexpr const char* kStandardInput = "-";

/// Why a script is refused in place of a scenario.
inline constexpr const char* kCommandBehindDashes = "a command goes behind --";

/// What to say of a Jupyter notebook that is named in place of a scenario or a script.
Error::Parts notebook_complaint(const std::string& file);

/// Throws tune::Error with every complaint of the file, each with file:line:col.
/// `file` is named in complaints as the user wrote it, and relative paths in the text are relative
/// to it.
Scenario read_scenario(const std::string& text, const std::filesystem::path& file);

/// Reads the file first; a missing file is a complaint with the nearest scenario as suggestion.
Scenario load_scenario(const std::filesystem::path& file);

}  // namespace tune::scenario
