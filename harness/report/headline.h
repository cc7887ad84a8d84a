#pragma once

#include "measure/campaign/campaign_result.h"
#include "result/result.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tune::report {

/// How sure the answer is.
enum class Standing {
  nothing_measured,  ///< no trial ended
  baseline_failed,   ///< nothing to compare with
  baseline_only,     ///< no other setting completed
  provisional,       ///< the search ranks the settings, fresh pairs are missing
  nothing_faster,    ///< the search ended without a cell that could be worth confirming, or all
                     ///< that completed break a constraint
  too_few_pairs,     ///< fresh pairs, but fewer than the first look needs
  undecided,         ///< ambiguous at the last look
  not_faster,        ///< refuted: at most as much faster as does not matter
  faster             ///< confirmed: faster by more than that
};

/// What the campaign answers; pointers into the result.
struct Conclusion {
  Standing standing = Standing::nothing_measured;
  const campaign::CellResult* baseline = nullptr;
  const campaign::CellResult* best = nullptr;  ///< of the confirmation, else of the search; never
                                               ///< one that breaks a constraint
  std::string doubt;                           ///< why it is not confirmed; "" when it is
};

Conclusion conclude(const campaign::CampaignResult& result);

/// The baseline and the best setting, those of them that there are.
std::vector<const campaign::CellResult*> baseline_and_best(const campaign::CampaignResult& result);

/// The same of a result.json.
std::vector<const result::Cell*> baseline_and_best(const result::Result& result);

/// The one sentence that answers: what do I change, how much faster, how sure. A gain in it comes
/// from fresh pairs only, or the sentence says that it is provisional. The same in every format.
std::string headline(const campaign::CampaignResult& result);

/// What the objective's metric was for a cell: the median over its completed trials of one stage.
/// Nothing where the objective is speed, and where no trial tells.
std::optional<stats::Number> objective_value(const campaign::CampaignResult& result,
                                             std::string_view cell,
                                             std::string_view stage);

/// "CONFIRMED", "" before the first look.
std::string verdict_word(const campaign::Confirmation& confirmation);

/// "amp=bf16 num_workers=2", "baseline"; in long settings only the number of knobs.
std::string setting_text(const scenario::Cell& cell);

/// The same of the cell with that id; the id where there is none.
std::string setting_text(const campaign::CampaignResult& result, const std::string& id);

/// What a drawing calls a cell: "baseline", "best setting", else what it changes.
std::string drawn_name(const result::Result& result, const std::string& id);
std::string drawn_name(const campaign::CampaignResult& result, const std::string& id);

}  // namespace tune::report
