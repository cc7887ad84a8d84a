#pragma once

#include "profile/steps.h"
#include "report/markup.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace tune::report {

constexpr std::size_t kMostColumns = 240;

/// A column a step, with a line at their median. Of more than kMostColumns steps each column is the
/// longest of several that follow each other. Nothing for less than two steps.
std::optional<Markup> step_plot(const std::vector<profile::Step>& steps);

}  // namespace tune::report
