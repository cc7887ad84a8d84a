#pragma once

#include "report/loader_use.h"
#include "report/markup.h"

#include <optional>
#include <string>
#include <vector>

namespace tune::report {

struct NamedLoader {
  std::string label;
  LoaderUse use;
};

/// A bar a setting on one scale: CPU time of a sample in the stages of the loader, which differ by
/// colour, hatch and label. Nothing where no setting spent any.
std::optional<Markup> loader_bars(const std::vector<NamedLoader>& loaders);

/// Samples made ahead of the training, at the edges of the slices of one trial of each setting.
/// Nothing where no setting had any.
std::optional<Markup> stock_plot(const std::vector<NamedLoader>& loaders);

}  // namespace tune::report
