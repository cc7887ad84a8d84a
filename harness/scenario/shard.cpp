#include "scenario/shard.h"

#include "base/error.h"
#include "base/whole_number.h"

#include <utility>
#include <vector>

namespace tune::scenario {

namespace {

constexpr std::int64_t kMostShards = 10'000;

}  // namespace

std::optional<Shard> parse_shard(std::string_view text) {
  const auto slash = text.find('/');
  if (slash == std::string_view::npos) {
    return std::nullopt;
  }
  const auto index = parse_whole(text.substr(0, slash));
  const auto of = parse_whole(text.substr(slash + 1));
  if (!index || !of || *index < 1 || *index > *of || *of > kMostShards) {
    return std::nullopt;
  }
  return Shard{*index, *of};
}

std::string to_text(const Shard& shard) {
  return std::to_string(shard.index) + "/" + std::to_string(shard.of);
}

void keep_shard(Plan& plan, const Scenario& scenario) {
  const Shard& shard = *scenario.shard;
  const std::string flag = "--shard " + to_text(shard);
  if (scenario.strategy != "grid") {
    throw Error(Error::Parts{flag,
                             "does not go with strategy " + scenario.strategy,
                             "what such a search measures next hangs on all that it has measured, "
                             "and shards know nothing of one another",
                             "--strategy grid"});
  }
  const auto others = static_cast<std::int64_t>(plan.cells.size()) - 1;
  if (others > 0 && shard.of > others) {
    throw Error(Error::Parts{flag,
                             "leaves shards without a cell",
                             "the grid has " + std::to_string(others) +
                                 (others == 1 ? " cell" : " cells") + " beside the baseline",
                             "at most " + std::to_string(others) + " shards"});
  }
  std::vector<Cell> kept;
  for (std::size_t cell = 0; cell < plan.cells.size(); ++cell) {
    if (cell == 0 || static_cast<std::int64_t>(cell - 1) % shard.of == shard.index - 1) {
      kept.push_back(std::move(plan.cells[cell]));
    }
  }
  plan.notes.push_back("shard " + to_text(shard) + ": " + std::to_string(kept.size() - 1) + " of " +
                       std::to_string(others) +
                       " cells beside the baseline, nothing is confirmed; tune merge joins the "
                       "shards");
  plan.cells = std::move(kept);
}

}  // namespace tune::scenario
