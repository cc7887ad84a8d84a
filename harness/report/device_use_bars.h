#pragma once

#include "report/markup.h"

#include <optional>
#include <string>
#include <vector>

namespace tune::report {

/// How much of something was used, 0-1; larger values are drawn as 1.
struct UtilisationBar {
  std::string label;
  double ratio = 0;
  std::optional<double> healthy_from;  ///< marked, and said in words
};

/// Bars from 0 to 100 %. Nothing without a bar.
std::optional<Markup> utilisation_bars(const std::vector<UtilisationBar>& bars);

}  // namespace tune::report
