#pragma once

#include "campaign/steadiness.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace tune::campaign {

/// How many trials of a group measured their steady state.
struct SteadyTally {
  std::int64_t trials = 0;
  std::int64_t weak = 0;                       ///< steady, as far as so few steps can tell
  std::int64_t not_steady = 0;                 ///< by the guard or a veto
  std::map<std::string, std::int64_t> vetoes;  ///< name -> trials
  std::string first;                           ///< not steady: "r1-c01: <why>", or ""

  /// Of those that are not steady the largest bias (Steadiness::bias_ratio()); 0 where all are
  /// steady, nothing where one does not tell.
  std::optional<double> worst_bias_ratio = 0;

  void add(const std::string& trial, const Steadiness& steadiness);

  /// More than half of them.
  bool is_mostly_not_steady() const { return 2 * not_steady > trials; }
  /// What most of them are: the commonest veto, "weak" or "steady"; "" of no trial.
  std::string label() const;
  /// "3 of 24 trials were not steady (2 clock, 1 no-steady-state), the first: r1-c01: ..."; ""
  /// where all were. `what` names the group: "trials".
  std::string text(const std::string& what) const;
};

}  // namespace tune::campaign
