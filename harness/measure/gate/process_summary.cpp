#include "measure/gate/process_summary.h"

#include "base/file.h"
#include "base/stats/quantile.h"
#include "measure/campaign/taint.h"
#include "measure/gate/policy.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace tune::gate {

namespace {

constexpr double kLossRatio = 0.01;  // at the first step: other kernels sum in another order

void add_slices(const trial::TrialReply& reply,
                const campaign::CleanRate& clean,
                ProcessSummary& summary) {
  for (std::size_t i = 0; i < reply.slices.size(); ++i) {
    const trial::Slice& slice = reply.slices[i];
    if (clean.is_clean[i]) {
      summary.slice_log_times.push_back(
          std::log(static_cast<double>(slice.wall_ns) / static_cast<double>(slice.samples)));
      summary.measured_ns += slice.wall_ns;
    }
  }
  if (!summary.slice_log_times.empty()) {
    const double middle = stats::median(summary.slice_log_times);
    for (double& time : summary.slice_log_times) {
      time -= middle;
    }
  }
}

std::string number(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.6g", value);
  return text.data();
}

}  // namespace

ProcessSummary summarise_process(const trial::TrialReply& reply, const trial::TrialSpec& spec) {
  ProcessSummary summary;
  const campaign::CleanRate clean = campaign::clean_rate(reply);
  summary.slices = clean.slices;
  summary.taints = clean.reasons;
  summary.lost_too_many = clean.lost_too_many();
  add_slices(reply, clean, summary);
  for (const Metric& metric : all_metrics()) {
    const auto value = metric.value(reply, spec);
    if (value && std::isfinite(*value) && *value >= 0 && (*value > 0 || metric.is_counted)) {
      summary.values[metric.name] = *value;
    }
  }
  if (reply.sentinel) {
    summary.sentinel_ns =
        static_cast<double>(std::min(reply.sentinel->before_ns, reply.sentinel->after_ns));
  }
  summary.steadiness = campaign::steadiness(reply);
  for (const trial::Loss& loss : reply.losses) {
    summary.losses[loss.step] = loss.value;
  }
  summary.delay_ns = reply.delay_ns;
  return summary;
}

std::string loss_mismatch(const ProcessSummary& baseline,
                          const ProcessSummary& candidate,
                          bool same_numerics) {
  for (const auto& [step, loss] : candidate.losses) {
    const auto other = baseline.losses.find(step);
    const bool baseline_is_finite = other == baseline.losses.end() || std::isfinite(other->second);
    if (!std::isfinite(loss) && baseline_is_finite) {
      return "the candidate's loss is no longer finite at step " + std::to_string(step);
    }
  }
  const auto first = candidate.losses.begin();
  if (!same_numerics || first == candidate.losses.end()) {
    return "";
  }
  const auto partner = baseline.losses.find(first->first);
  if (partner == baseline.losses.end() || !std::isfinite(partner->second)) {
    return "";
  }
  const double scale = std::max(std::abs(partner->second), 1e-6);
  if (std::abs(first->second - partner->second) <= kLossRatio * scale) {
    return "";
  }
  return "the losses differ at step " + std::to_string(first->first) + ": " +
         number(partner->second) + " and " + number(first->second) +
         ", though weights, samples and settings that change numbers are the same";
}

namespace {

// Nor what had other batches than the cell's: the ceilings, whose cell is the baseline as well.
bool is_measured(const trial::TrialSpec& spec, const std::string& cell) {
  return spec.cell == cell && !spec.measure.find_warmup && !spec.measure.epoch &&
         spec.measure.slice_ns > 0 && spec.measure.delay_ratio == 0 &&
         !spec.id.starts_with("ceiling") && !spec.id.starts_with("diagnose");
}

}  // namespace

std::vector<MeasuredProcess> measured_processes(const std::filesystem::path& directory,
                                                const std::string& cell) {
  std::vector<MeasuredProcess> processes;
  for (const auto& folder : kept_entries(directory / "trials")) {
    const auto spec_file = folder / "spec.json";
    const auto reply_file = folder / "reply.json";
    constexpr auto kNone = std::filesystem::file_type::not_found;
    if (type_of_kept(reply_file) == kNone || type_of_kept(spec_file) == kNone) {
      continue;
    }
    auto spec = trial::parse_trial_spec(read_kept_file(spec_file), spec_file.string());
    if (!is_measured(spec, cell)) {
      continue;
    }
    spec.folder = folder.string();
    auto reply = trial::parse_trial_reply(read_kept_file(reply_file), reply_file.string());
    if (!reply.failure) {
      processes.push_back({std::move(spec), std::move(reply)});
    }
  }
  return processes;
}

}  // namespace tune::gate
