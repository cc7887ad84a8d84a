#include "measure/search/best_first.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace tune::search {

namespace {

std::int64_t memory_of(const CellState& state) {
  std::vector<std::int64_t> peaks = state.peak_memory_bytes;
  if (peaks.empty()) {
    return 0;
  }
  const auto middle = peaks.begin() + static_cast<std::ptrdiff_t>(peaks.size() / 2);
  std::nth_element(peaks.begin(), middle, peaks.end());
  return *middle;
}

}  // namespace

BestFirst::BestFirst(const Space& space,
                     const History& history,
                     std::vector<Scored> scored,
                     double tie)
    : space_(space), history_(history), tie_(tie) {
  std::sort(scored.begin(), scored.end(), [](const Scored& a, const Scored& b) {
    return std::tuple(-a.score, a.cell) < std::tuple(-b.score, b.cell);
  });
  entries_.reserve(scored.size());
  for (const Scored& each : scored) {
    entries_.push_back({.scored = each});
  }
}

const BestFirst::Rank& BestFirst::rank_of(Entry& entry) const {
  if (!entry.rank) {
    const std::size_t cell = entry.scored.cell;
    entry.rank = Rank(
        changed_knobs(space_, cell), memory_of(history_.cells[cell]), -entry.scored.score, cell);
  }
  return *entry.rank;
}

std::optional<std::size_t> BestFirst::next() {
  while (first_ < entries_.size() && entries_[first_].is_taken) {
    ++first_;
  }
  if (first_ == entries_.size()) {
    return std::nullopt;
  }
  Entry* best = &entries_[first_];
  const double least = best->scored.score - tie_;
  for (std::size_t i = first_ + 1; i < entries_.size() && entries_[i].scored.score >= least; ++i) {
    if (!entries_[i].is_taken && rank_of(entries_[i]) < rank_of(*best)) {
      best = &entries_[i];
    }
  }
  best->is_taken = true;
  return best->scored.cell;
}

std::vector<std::size_t> best_first(const Space& space,
                                    const History& history,
                                    std::vector<Scored> scored,
                                    double tie,
                                    std::size_t most) {
  BestFirst left(space, history, std::move(scored), tie);
  std::vector<std::size_t> order;
  while (order.size() < most) {
    const auto cell = left.next();
    if (!cell) {
      break;
    }
    order.push_back(*cell);
  }
  return order;
}

}  // namespace tune::search
