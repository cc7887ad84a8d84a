#pragma once

#include "campaign/campaign_result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tune::report {

/// What came before the fresh pairs, in sentences, the same in every format: the warm-up that was
/// found and how far the trials could check it, why the search ended, what its audit says.
std::vector<std::string> method_lines(const campaign::CampaignResult& result);

/// What the search found and spent against every cell measured in full; "" where no audit was asked
/// for.
std::string audit_text(const campaign::CampaignResult& result);

/// A part of the whole measurement, 0-1; nothing where that has not been made.
std::optional<double> audit_share(const campaign::Audit& audit,
                                  std::int64_t of_search,
                                  std::int64_t whole);

}  // namespace tune::report
