#pragma once

#include "base/stats/looks.h"
#include "base/stats/pair_bias.h"
#include "base/stats/verdict.h"
#include "measure/campaign/cell_history.h"
#include "measure/campaign/recorded_run.h"
#include "scenario/scenario.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tune::campaign {

/// One look at one row.
struct RowLook {
  std::int64_t pairs = 0;
  double alpha = 0, alpha_total = 0;
  stats::AdviceRow row;
};

/// A cell in its confirmation, with the pairs that count.
struct ConfirmRow {
  std::size_t cell = 0;
  std::vector<double> differences;  ///< ln(time of the cell / time of the baseline), by round
  std::vector<stats::PairOrder> orders;
  std::vector<RowLook> looks;
  bool is_open = true;  ///< more pairs may decide it
};

/// Where the confirmation stands: what the looks so far have decided.
struct ConfirmStanding {
  stats::LookSchedule schedule;
  /// Rows stay open until half of their gain's interval is at most this; nothing: until a verdict.
  std::optional<double> until;
  std::vector<ConfirmRow> rows;
  std::int64_t next_pairs = 0;  ///< of the next look; of the last one when nothing is open

  bool finished() const;
};

/// The looks at `rows` cells paired together in a stage: those to a verdict, or, of a confirmation
/// with `confirm_until`, those to a precision. Fixed by the scenario, never by what was measured.
/// At most as many rounds as round_limit() says: a look that would be later is brought forward to
/// the last.
stats::LookSchedule confirm_looks(const scenario::Scenario& scenario,
                                  const std::string& stage,
                                  std::size_t rows);

/// The cells among `preferred`, best first, that are confirmed: the first `count` that were not
/// given up in it.
std::vector<std::size_t> confirmed_cells(const std::vector<std::size_t>& preferred,
                                         std::size_t count,
                                         const std::vector<CellHistory>& histories);

/// The most cells that were paired with the baseline in a round of the confirmation that is over;
/// nothing before the first is. With a larger budget a resumed run could pair more, but those would
/// hold up the looks of the others, and change how many there are.
std::optional<std::size_t> most_paired_cells(const std::vector<CellHistory>& histories);

/// The most rounds of a stage of pairs: what the scenario says of "confirm"; of the "ladder", which
/// has to wait for no late look, at most twelve.
std::optional<std::int64_t> round_limit(const scenario::Scenario& scenario,
                                        const std::string& stage);

/// Every look at the rounds of the stage that are over. Rows are judged together by Holm's method;
/// nothing is decided between looks.
ConfirmStanding confirm_standing(const scenario::Scenario& scenario,
                                 const std::vector<std::size_t>& cells,
                                 const std::vector<CellHistory>& histories,
                                 const std::string& stage = "confirm");

/// The next trial: each round runs the baseline and every open cell once, in a random order, the
/// next round in the reverse of it, so that a drift that is linear in time cancels. One baseline
/// serves all cells of the round. Nothing when all rows are decided.
std::optional<Slot> next_confirming(const scenario::Scenario& scenario,
                                    const std::vector<std::size_t>& cells,
                                    const std::vector<CellHistory>& histories,
                                    const std::string& stage = "confirm");

}  // namespace tune::campaign
