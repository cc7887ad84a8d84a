#pragma once

#include "scenario/plan.h"
#include "trial/knob_catalog.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tune {
class Fields;
}

namespace tune::campaign {

struct CampaignResult;
struct RecordedRun;

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

/// The fields of a line of the ledger. A gain that is not finite is left empty; a reader throws
/// tune::Error where a knob is not known, or its value does not fit.
void fields_of(Fields& fields, Proposals& proposals);

/// So many changes at most are put on top of one another, and tried first.
constexpr std::size_t kMostRungs = 3;

/// The recommendations of a diagnosis, as ranked, with what speaks against trying each in this run:
/// a knob that is none of the grid, a value outside of the grid's range. A guided search that has
/// not begun may try whole numbers between the values of the grid; others measure what is written.
Proposals proposals_of(const CampaignResult& result);

/// The cell that is the baseline with exactly these knobs changed; nothing where there is none.
std::optional<std::size_t> cell_with(const scenario::Plan& plan,
                                     const trial::KnobSettings& changed);

/// The cells of the first testable proposals, in their order: what the search tries first.
std::vector<std::size_t> favoured_cells(const scenario::Plan& plan, const Proposals& proposals);

/// Adds to the run's plan what its ledger proposes and the grid allows but does not have: each of
/// the first testable proposals, and each of them together with those before it. A forbidden
/// setting is not added.
void add_proposed_cells(RecordedRun& run);

}  // namespace tune::campaign
