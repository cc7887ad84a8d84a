#include "campaign/kernel_sets.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

namespace tune::campaign {

namespace {

using Times = std::map<std::string, double>;  // of kernels, by name

Times times_in(const std::vector<table::Table>& tables) {
  Times times;
  for (const table::Table& table : tables) {
    if (table.id != "kernels") {
      continue;
    }
    for (const table::Row& row : table.rows) {
      const auto* const name = std::get_if<std::string>(&cell(table, row, "name"));
      const auto* const ns = std::get_if<std::int64_t>(&cell(table, row, "total_time"));
      if (name != nullptr && ns != nullptr) {
        times[*name] += static_cast<double>(*ns);
      }
    }
  }
  return times;
}

// Share of `own` in kernels that `other` has not; those are added to `found` with their times.
double only_here(const Times& own,
                 const Times& other,
                 std::vector<std::pair<double, std::string>>& found) {
  double all = 0, only = 0;
  for (const auto& [name, time] : own) {
    all += time;
    if (!other.contains(name)) {
      only += time;
      found.emplace_back(time, name);
    }
  }
  return all > 0 ? only / all : 0;
}

}  // namespace

KernelSets compare_kernels(const std::vector<table::Table>& first,
                           const std::vector<table::Table>& second) {
  constexpr std::size_t kMostNamed = 3;
  const Times a = times_in(first), b = times_in(second);
  if (a.empty() || b.empty()) {
    return {.reason = "no kernels of a GPU were recorded"};
  }
  std::vector<std::pair<double, std::string>> found;
  const double in_first = only_here(a, b, found), in_second = only_here(b, a, found);
  std::sort(found.rbegin(), found.rend());
  KernelSets sets{.distance = std::max(in_first, in_second)};
  for (std::size_t i = 0; i < std::min(kMostNamed, found.size()); ++i) {
    sets.differing.push_back(found[i].second);
  }
  return sets;
}

}  // namespace tune::campaign
