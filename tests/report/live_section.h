#pragma once

#include "report/render_blocks.h"
#include "report/result_of.h"
#include "report/run_sections.h"

#include <variant>

namespace tune::report {

/// A section of a run whose directory is at hand.
inline Section live(Section (*make)(const Run&), const campaign::CampaignResult& result) {
  const result::Result stored = result_of(result);
  return make({stored, &result});
}

inline Section live(Section (*make)(const Run&, const PageDetail&),
                    const campaign::CampaignResult& result,
                    const PageDetail& detail = {}) {
  const result::Result stored = result_of(result);
  return make({stored, &result}, detail);
}

/// The same as HTML.
template <class Make>
Markup live_markup(Make make, const campaign::CampaignResult& result) {
  return to_markup(live(make, result));
}

/// Its blocks of one kind, in their order.
template <class Content>
std::vector<Content> blocks_of(const Section& section) {
  std::vector<Content> found;
  for (const Block& block : section.blocks) {
    if (const auto* const content = std::get_if<Content>(&block.content)) {
      found.push_back(*content);
    }
  }
  return found;
}

}  // namespace tune::report
