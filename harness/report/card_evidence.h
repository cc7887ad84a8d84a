#pragma once

#include "advice/diagnosis.h"
#include "report/markup.h"

namespace tune::report {

/// What a recommendation stands on: each value with what it was compared with and where it comes
/// from, then the rule's condition with the numbers filled in, part by part: true, false, or why
/// that cannot be said. Nothing where its rule has no finding.
Markup evidence_part(const advice::Diagnosis& diagnosis,
                     const advice::Recommendation& recommendation);

}  // namespace tune::report
