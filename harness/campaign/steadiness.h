#pragma once

#include "campaign/steady_vetoes.h"
#include "trial/trial_reply.h"

#include <optional>
#include <string>
#include <vector>

namespace tune::campaign {

/// Whether a trial measured its steady state, by its own steps and counters: the length of its
/// warm-up was found in another process.
struct Steadiness {
  std::vector<Veto> vetoes;  ///< none: nothing speaks against it
  std::string weakness;      ///< why a slow drift could hide in so few steps, or ""

  bool is_steady() const { return vetoes.empty(); }
  bool is_weak() const { return !weakness.empty(); }
  bool has(const std::string& veto) const;
  /// The name of the first veto; else "weak" or "steady".
  std::string label() const;
  /// The sentences behind the label, "" of a steady one.
  std::string why() const;
  /// How far at most its rate is from the steady one, relative: the sum over the vetoes; nothing
  /// where one of them does not tell.
  std::optional<double> bias_ratio() const;
};

/// The guard (stats::check_steady) on the steps of the slices that count, whose failure is the veto
/// "no-steady-state", then steady_vetoes().
Steadiness steadiness(const trial::TrialReply& reply);

}  // namespace tune::campaign
