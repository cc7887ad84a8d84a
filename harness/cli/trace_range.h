#pragma once

#include "viewer/perfetto_address.h"

#include <filesystem>
#include <optional>
#include <string>

namespace tune::cli {

/// What part of a trace is wanted, as typed: --step, or --from and --to.
struct RangeWish {
  std::string step;      ///< "6", "6-10": numbers of ProfilerStep rows
  std::string from, to;  ///< times since the first row, as Perfetto shows them: "0.5" s, "120ms"

  bool wanted() const { return !step.empty() || !from.empty() || !to.empty(); }
};

/// Throws tune::Error for what cannot be a range, whatever the trace.
void check(const RangeWish& wish);

/// Reads the trace for it; nothing where nothing is wanted. Throws tune::Error where the trace has
/// no such step, or ends before.
std::optional<viewer::VisibleRange> visible_range(const RangeWish& wish,
                                                  const std::filesystem::path& trace);

}  // namespace tune::cli
