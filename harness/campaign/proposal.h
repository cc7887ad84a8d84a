#pragma once

#include "trial/knob_catalog.h"

#include <optional>
#include <string>
#include <vector>

namespace tune {
class Fields;
}

namespace tune::campaign {

/// A change that a rule proposed, as the ledger keeps it.
struct Proposal {
  std::string rule;                    ///< id
  trial::KnobSettings knobs;           ///< what changes against the baseline; empty: not by knobs
  std::optional<double> lower, upper;  ///< the gain predicted then, ratio - 1
  std::string outside;                 ///< why no cell of this run may have it; "" where one may

  bool is_testable() const { return !knobs.empty() && outside.empty(); }
  bool operator==(const Proposal&) const = default;
};

/// What the rules said of the baseline: before the search, or where nothing ran before it, when the
/// baseline had run once in it. It orders the search and names the rungs of the ladder; it decides
/// nothing.
struct Proposals {
  std::vector<Proposal> list;  ///< as ranked then
  std::string reason;          ///< why the rules could not be asked, or ""
  bool operator==(const Proposals&) const = default;
};

/// As a line of the ledger keeps them. A gain that is no finite number is nothing; a reader throws
/// tune::Error where a knob is not known, or its value does not fit.
void fields_of(Fields& fields, Proposals& proposals);

}  // namespace tune::campaign
