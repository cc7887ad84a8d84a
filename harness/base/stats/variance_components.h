#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tune::stats {

/// The sources of noise in slice rates; logarithms, so 0.01 is 1 %.
struct VarianceComponents {
  double process_sd = 0;  ///< of what the slices of one process have in common; 0 if lost in noise
  double slice_sd = 0;    ///< of slices of one process
  /// Correlation of adjacent slices of one process, without the bias of a mean over few slices; 0
  /// if independent.
  double lag1_autocorrelation = 0;
  std::size_t processes = 0, slices = 0;
  std::string warning;  ///< a sentence, or ""
};

/// One-way random effects by the method of moments (analysis of variance), for processes of any
/// length: E[mean square between] = slice variance + n0 * process variance.
///
/// `log_rates`: one list per process, with its slices in the order of measurement. Assumes equal
/// spread in all processes, and independent slices: autocorrelation counts as part of the process.
/// Needs at least two processes, one of them with at least two slices; empty ones are left out.
VarianceComponents variance_components(const std::vector<std::vector<double>>& log_rates);

/// The cost of one process before its first slice (start, warm-up), and of each slice.
struct SliceCost {
  double process_s = 0, slice_s = 0;
};

/// The number of slices per process that minimises the noise of pairs in a given time,
/// sqrt((process cost / slice cost) (slice variance / process variance)), rounded, at least 1. None
/// when no process variance was seen: more slices are then always better than more processes.
/// Source: Kalibera and Jones, Rigorous benchmarking in reasonable time, ISMM 2013.
std::optional<std::size_t> best_slices(const VarianceComponents& components, const SliceCost& cost);

}  // namespace tune::stats
