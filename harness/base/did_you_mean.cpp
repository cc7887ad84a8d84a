#include "base/did_you_mean.h"

#include <algorithm>

namespace tune {

namespace {

// Edits between two words: insert, delete, replace, swap neighbours (optimal string alignment).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        cost[i][j] = i + j;
        continue;
      }
      const std::size_t replaced = cost[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
      }
    }
  }
  return cost[a.size()][b.size()];
}

}  // namespace

std::string did_you_mean(std::string_view written, const std::vector<std::string>& candidates) {
  constexpr std::size_t kLongestWord = 64;  // nobody mistypes a longer one; keeps the table small
  std::string nearest;
  if (written.size() > kLongestWord) {
    return nearest;
  }
  std::size_t least = std::max<std::size_t>(1, written.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    // A word that the user cut short or prefixed ("workers" for "num_workers") is near as well.
    const bool contains = written.size() >= 4 && candidate.find(written) != std::string::npos;
    const std::size_t distance = contains ? 1 : edit_distance(written, candidate);
    const bool is_shorter = distance == least && candidate.size() < nearest.size();
    if (candidate.size() <= kLongestWord && (distance < least || is_shorter)) {
      least = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

}  // namespace tune
