#pragma once

#include "base/stats/looks.h"

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace tune::stats {

// Differences d are ln(time of the candidate / time of the baseline) of each pair, in the order of
// measurement: d > 0 is slower. Assumes independent pairs, and d symmetric about its location.
// Fresh processes give the first, a random order gives the second (when nothing changed).

/// The budget and the smallest effect of interest; ratios, 0.05 is 5 %.
struct EffectLimits {
  double min_effect_ratio = 0.01;  ///< m: smaller changes do not matter
  double budget_ratio = 0.05;      ///< b: the slowdown that a gate allows
};

enum class SliceShape {
  alike,
  heavier_tail,  ///< the candidate's slices: IQR or p90 / p50 more than twice the baseline's
};

enum class GateVerdict { pass, regressed, improved, inconclusive };
enum class AdviceVerdict { confirmed, refuted, ambiguous };

enum class Doubt {
  none,
  undecided,      ///< the interval allows both answers: continue sampling, unless this was the last
                  ///< look
  too_few_pairs,  ///< for this look's level
  tail,           ///< the claim assumes a symmetric d, but the candidate's tail grew
};

const char* to_string(GateVerdict verdict);
const char* to_string(AdviceVerdict verdict);
const char* to_string(Doubt doubt);

/// One row (workload x metric) of a campaign at one look.
struct Row {
  std::vector<double> differences;
  EffectLimits limits;
  SliceShape shape = SliceShape::alike;
};

/// The numbers behind a verdict, on the scale of d.
struct Evidence {
  double lower = -std::numeric_limits<double>::infinity();
  double estimate = 0;
  double upper = std::numeric_limits<double>::infinity();
  double p = 1;           ///< gate: for "at most m slower"; advice: for "at most m faster"
  double confidence = 0;  ///< of [lower, upper] at all looks together
  Doubt doubt = Doubt::none;
  std::string warning;  ///< a sentence, or ""
};

struct GateRow {
  GateVerdict verdict = GateVerdict::inconclusive;
  Evidence evidence;
};

struct AdviceRow {
  AdviceVerdict verdict = AdviceVerdict::ambiguous;
  Evidence evidence;
};

/// Which look this is, and how many rows were called (regressed, confirmed) at earlier looks.
struct Look {
  LookSchedule schedule;
  std::size_t index = 0;
  std::size_t rows_called = 0;
};

/// Three-way verdicts on the rows that are still open, in their order.
///
/// regressed: Holm calls "more than m slower" among all rows, and the estimate is at least b.
/// pass: the upper bound is below b, a claim. improved: the upper bound is below -m and the
/// estimate at most -b. Else inconclusive: final at the last look; before it, sampling continues.
std::vector<GateRow> gate_verdicts(const std::vector<Row>& open_rows, const Look& look);

/// Verdicts on recommended cells, with gains g = -d. confirmed: Holm calls "more than m faster".
/// refuted: the gain's upper bound is below m. Else ambiguous: "at most exp(-lower) - 1". The
/// budget does not matter.
std::vector<AdviceRow> advice_verdicts(const std::vector<Row>& open_rows, const Look& look);

}  // namespace tune::stats
