#include "campaign/steady_tally.h"

#include <algorithm>

namespace tune::campaign {

void SteadyTally::add(const std::string& trial, const Steadiness& steadiness) {
  ++trials;
  if (steadiness.is_steady()) {
    weak += steadiness.is_weak() ? 1 : 0;
    return;
  }
  ++not_steady;
  const std::optional<double> bias = steadiness.bias_ratio();
  worst_bias_ratio =
      bias && worst_bias_ratio ? std::optional(std::max(*bias, *worst_bias_ratio)) : std::nullopt;
  for (const Veto& veto : steadiness.vetoes) {
    ++vetoes[veto.name];
  }
  if (first.empty()) {
    first = trial + ": " + steadiness.why();
  }
}

std::string SteadyTally::label() const {
  if (trials == 0) {
    return "";
  }
  if (is_mostly_not_steady()) {
    return std::max_element(vetoes.begin(),
                            vetoes.end(),
                            [](const auto& a, const auto& b) { return a.second < b.second; })
        ->first;
  }
  return 2 * (weak + not_steady) > trials ? "weak" : "steady";
}

std::string SteadyTally::text(const std::string& what) const {
  if (not_steady == 0) {
    return "";
  }
  std::string names;
  for (const auto& [name, count] : vetoes) {
    names += (names.empty() ? "" : ", ") + std::to_string(count) + " " + name;
  }
  return std::to_string(not_steady) + " of " + std::to_string(trials) + " " + what +
         (not_steady == 1 ? " was" : " were") + " not steady (" + names + "), the first: " + first;
}

}  // namespace tune::campaign
