#pragma once

#include "measure/campaign/campaign_result.h"
#include "report/markup.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tune::report {

/// Samples that were made ahead, at the edges of the slices of one trial.
struct StockPoint {
  double at_s = 0;  ///< from the start of the measured window
  std::int64_t samples = 0;
};

/// What the loader did for one setting, over its trials that count (campaign/measured_facts.h).
struct LoaderUse {
  std::int64_t trials = 0, samples = 0, errors = 0;
  double read_ms = 0, decode_ms = 0, resize_ms = 0;  ///< CPU time of a sample, over all workers
  double bytes_per_sample = 0;
  std::int64_t workers = 0;  ///< num_workers; 0: the training thread loads
  /// The share of the files' bytes in the page cache before a trial: least and most.
  std::optional<double> least_resident, most_resident;
  std::vector<StockPoint> stock;  ///< of the last trial
  std::string trial;              ///< that one

  double cpu_ms() const { return read_ms + decode_ms + resize_ms; }
  /// Samples/s that so many workers could make if each had a CPU and nothing else to wait for;
  /// nothing without stages, or without workers.
  std::optional<double> most_rate() const;
};

/// Nothing where no trial completed.
std::optional<LoaderUse> loader_use(const campaign::CampaignResult& result,
                                    const campaign::CellResult& cell);

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
