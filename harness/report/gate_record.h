#pragma once

#include "campaign/campaign_result.h"
#include "history/series.h"
#include "report/format/stored_result.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tune::report {

// What the page of a gate says, all of it from its result.json: so the page can be made again of
// that file alone. Texts and numbers are as in stored_result.h; what is not known is nothing, "" or
// 0.

/// One process of a pair.
struct GateProcess {
  std::map<std::string, double> values;  ///< by metric, in its unit
  std::int64_t clean_slices = 0, tainted_slices = 0;
  std::string taint;           ///< why the first of them was disturbed
  std::string steadiness;      ///< "steady", "weak", or what speaks against it
  std::string steadiness_why;  ///< "" of a steady one
};

/// One process of each side, next to each other in time.
struct GatePair {
  bool baseline_first = true;
  GateProcess baseline, candidate;
};

/// What a StoredSide does not say.
struct GateSide {
  std::string model, commit, worker_sha256, data_sha256;
  std::vector<std::pair<std::string, std::string>> files;  ///< path, SHA-256; of a commit
};

/// What one look said of a metric, on the scale of ln(how much worse).
struct GateLookRow {
  std::string metric, verdict;
  std::optional<double> estimate, lower, upper;
  std::optional<double> p, mde;
};

struct GateLook {
  std::string utc;
  std::int64_t look = 0, pairs = 0;                ///< look: from 1
  std::optional<double> alpha_spent, alpha_total;  ///< both sides together
  std::int64_t baseline_tainted = 0, candidate_tainted = 0;
  std::vector<GateLookRow> rows;
};

/// What was watched beside the pairs; ratios - 1.
struct GateControls {
  StoredNumber sentinel;  ///< how the machine itself differed between the sides
  bool machine_changed = false;
  StoredNumber position;  ///< what running second costs
  std::optional<double> epoch_estimated_s, epoch_measured_s;
  std::optional<double> taint_p;                          ///< that the sides lost slices alike
  std::string baseline_steadiness, candidate_steadiness;  ///< sentences; "" where all were steady
};

struct GateRecord {
  StoredResult result;  ///< of kind "gate": `result.gate` is there
  std::string headline;
  std::optional<std::int64_t> exit_code;
  GateSide baseline, candidate;
  std::string stored_baseline;  ///< its name; "": the baseline was measured as well
  std::int64_t pair_count = 0;  ///< that count
  bool has_pairs = false;       ///< false: it was not kept what single pairs said
  std::vector<GatePair> pairs, lost_pairs;
  std::optional<double> alpha;         ///< one-sided, over all looks
  std::vector<std::int64_t> looks_at;  ///< pairs, as planned
  std::vector<GateLook> looks;
  std::int64_t warmup_steps = 0;
  bool warmup_was_searched = false;
  GateControls controls;
  std::string calibration;
  std::optional<double> calibrated_mde;
  std::vector<std::string> findings;  ///< of rules that fired: finding_words()
  /// What environment_facts() and repeat_command() read, and nothing else: machine, data, versions,
  /// command, seed, and one trial with what its worker saw where one completed.
  campaign::CampaignResult run;
  std::string description;  ///< of the scenario
  std::string directory, seed;
  /// Of the scenario, newest first; not in result.json: by the command.
  std::vector<history::PastGate> past_gates = {};
  std::string build_output;  ///< of a gate whose build failed: the end of what it printed
};

/// Throws tune::Error naming `where` when the text is no result of a gate.
GateRecord read_gate_record(std::string_view json, const std::string& where);

}  // namespace tune::report
