#include "metric/siblings.h"

namespace tune::metric {

using profile::kNone;

std::vector<std::uint32_t> previous_siblings(const profile::Timeline& timeline,
                                             const table::HostTree& tree) {
  std::vector<std::uint32_t> previous(timeline.events.size(), kNone);
  std::vector<std::uint32_t> last_child(timeline.events.size(), kNone);  // by parent
  std::vector<std::uint32_t> last_top(timeline.tracks.size(), kNone);    // by track
  for (std::uint32_t i = 0; i < timeline.events.size(); ++i) {           // by start
    const profile::Event& event = timeline.events[i];
    const bool is_operator = event.category == profile::Category::cpu_op ||
                             event.category == profile::Category::user_annotation;
    if (!is_operator || !tree.is_row(i)) {
      continue;
    }
    const std::uint32_t parent = tree.parent[i];
    std::uint32_t& last = parent == kNone ? last_top[event.track] : last_child[parent];
    previous[i] = last;
    last = i;
  }
  return previous;
}

}  // namespace tune::metric
