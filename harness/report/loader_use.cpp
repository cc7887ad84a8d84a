#include "report/loader_use.h"

#include "report/trial_steps.h"

#include <algorithm>
#include <variant>

namespace tune::report {

namespace {

constexpr double kNano = 1e-9, kMillisecondNs = 1e6;

std::int64_t workers_of(const campaign::CellResult& cell) {
  const auto knob = cell.cell.knobs.find("num_workers");
  const auto* const workers =
      knob == cell.cell.knobs.end() ? nullptr : std::get_if<std::int64_t>(&knob->second);
  return workers == nullptr ? 0 : std::max<std::int64_t>(0, *workers);
}

std::vector<StockPoint> stock_of(const trial::TrialReply& reply) {
  std::vector<StockPoint> points;
  for (const trial::Slice& slice : reply.slices) {
    const double since_s =
        (static_cast<double>(slice.start_ns) - static_cast<double>(reply.slices.front().start_ns)) *
        kNano;
    points.push_back({since_s, slice.stock_before});
    points.push_back({since_s + static_cast<double>(slice.wall_ns) * kNano, slice.stock_after});
  }
  return points;
}

// Sums over trials, of thread CPU time and bytes.
struct Sums {
  double read_ns = 0, decode_ns = 0, resize_ns = 0, bytes = 0;
};

void add(const trial::LoaderReport& loader, Sums& sums, LoaderUse& use) {
  use.samples += std::max<std::int64_t>(0, loader.samples);
  use.errors += std::max<std::int64_t>(0, loader.errors);
  sums.read_ns += static_cast<double>(loader.read_ns);
  sums.decode_ns += static_cast<double>(loader.decode_ns);
  sums.resize_ns += static_cast<double>(loader.resize_ns);
  sums.bytes += static_cast<double>(loader.bytes_read);
  if (loader.resident_ratio) {
    use.least_resident =
        std::min(use.least_resident.value_or(*loader.resident_ratio), *loader.resident_ratio);
    use.most_resident =
        std::max(use.most_resident.value_or(*loader.resident_ratio), *loader.resident_ratio);
  }
}

}  // namespace

std::optional<double> LoaderUse::most_rate() const {
  return workers > 0 && cpu_ms() > 0 ? std::optional(static_cast<double>(workers) * 1e3 / cpu_ms())
                                     : std::nullopt;
}

std::optional<LoaderUse> loader_use(const campaign::CampaignResult& result,
                                    const campaign::CellResult& cell) {
  LoaderUse use{.workers = workers_of(cell)};
  Sums sums;
  for (const campaign::TrialRecord* const trial : telling_trials(result, cell)) {
    const trial::TrialReply& reply = *trial->outcome.reply;
    ++use.trials;
    add(reply.loader, sums, use);
    use.stock = stock_of(reply);
    use.trial = trial->spec.id;
  }
  if (use.trials == 0) {
    return std::nullopt;
  }
  const auto samples = static_cast<double>(std::max<std::int64_t>(1, use.samples));
  use.read_ms = sums.read_ns / kMillisecondNs / samples;
  use.decode_ms = sums.decode_ns / kMillisecondNs / samples;
  use.resize_ms = sums.resize_ns / kMillisecondNs / samples;
  use.bytes_per_sample = sums.bytes / samples;
  return use;
}

}  // namespace tune::report
