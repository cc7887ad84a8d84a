#include "trace/metric/tensor_core_ratio.h"

#include "trace/kernel_names.h"
#include "trace/metric/product_precision.h"
#include "trace/metric/trace_input.h"

#include <array>
#include <iterator>
#include <optional>
#include <unordered_map>
#include <utility>

namespace tune::metric {

namespace {

using profile::kNone;

constexpr std::array<MetricName, 5> kNames = {{{"tensor_core_ratio", "ratio"},
                                               {"tensor_core_time_ratio", "ratio"},
                                               {"eligible_ratio", "ratio"},
                                               {"gemm_conv_ratio", "ratio"},
                                               {"conv_ratio", "ratio"}}};

struct KernelTimes {
  double all_ns = 0, tensor_core_ns = 0;
  double joined_ns = 0;  ///< of kernels whose operator is known
  double graph_ns = 0;   ///< of kernels that were launched together
  double eligible_ns = 0, eligible_tensor_core_ns = 0;
  double product_ns = 0, convolution_ns = 0;
  PrecisionTimes precision;
};

// What names of kernels and operators say, each looked at once.
class KnownNames {
 public:
  explicit KnownNames(const profile::Timeline& timeline)
      : timeline_(timeline), uses_(timeline.strings.size()), kinds_(timeline.strings.size()) {}

  bool uses_tensor_cores(const profile::Event& kernel) {
    auto& use = uses_[kernel.name];
    if (!use) {
      use = profile::tensor_core_use(timeline_.name(kernel)) == profile::TensorCoreUse::yes;
    }
    return *use;
  }

  OperatorKind kind(const profile::Event& row) {
    auto& kind = kinds_[row.name];
    if (!kind) {
      kind = operator_kind(timeline_.name(row));
    }
    return *kind;
  }

 private:
  const profile::Timeline& timeline_;
  std::vector<std::optional<bool>> uses_;           // by StringId
  std::vector<std::optional<OperatorKind>> kinds_;  // by StringId
};

void add_joined(KernelTimes& times,
                OperatorKind kind,
                profile::Precision precision,
                double ns,
                bool uses_tensor_cores) {
  times.joined_ns += ns;
  if (can_use_tensor_cores(kind) && precision != profile::Precision::wide) {
    times.eligible_ns += ns;
    times.eligible_tensor_core_ns += uses_tensor_cores ? ns : 0;
  }
  times.product_ns += kind == OperatorKind::matrix_product ? ns : 0;
  times.convolution_ns += kind == OperatorKind::convolution ? ns : 0;
}

// By event, of calls: whether they issued more than one piece of work, as cudaGraphLaunch does. The
// operator around such a call is not the one that each kernel is of.
std::vector<bool> calls_of_several(const TraceInput& input) {
  const profile::Launches& launches = input.launches;
  std::vector<bool> are_several(input.timeline.events.size());
  for (const std::uint32_t i : input.device_work) {
    const std::uint32_t call = launches.call_of[i];
    if (call != kNone && launches.first_work_of[call] != i) {
      are_several[call] = true;
    }
  }
  return are_several;
}

// By the name of a kernel, an operator that issues it: for kernels that were launched before the
// window, where the host is ahead of the device.
std::unordered_map<profile::StringId, std::uint32_t> operators_by_kernel(
    const TraceInput& input, const std::vector<bool>& are_several) {
  std::unordered_map<profile::StringId, std::uint32_t> found;
  for (const std::uint32_t i : input.device_work) {
    const std::uint32_t call = input.launches.call_of[i];
    const std::uint32_t around = call == kNone || are_several[call]
                                     ? kNone
                                     : table::enclosing_operator(input.tree, input.issuing_row[i]);
    if (around != kNone) {
      found.emplace(input.timeline.events[i].name, around);
    }
  }
  return found;
}

KernelTimes sum_kernels(const TraceInput& input) {
  const profile::Timeline& timeline = input.timeline;
  const std::vector<bool> are_several = calls_of_several(input);
  const auto by_kernel = operators_by_kernel(input, are_several);
  KnownNames names(timeline);
  ProductPrecision precision_of(timeline);
  KernelTimes times;
  for (const std::uint32_t i : input.device_work) {
    const profile::Event& event = timeline.events[i];
    if (event.category != profile::Category::kernel) {
      continue;
    }
    const auto ns = static_cast<double>(input.clock.within(event));
    const bool uses_tensor_cores = names.uses_tensor_cores(event);
    times.all_ns += ns;
    times.tensor_core_ns += uses_tensor_cores ? ns : 0;
    const std::uint32_t call = input.launches.call_of[i];
    const bool is_of_graph = call != kNone && are_several[call];
    times.graph_ns += is_of_graph ? ns : 0;
    std::uint32_t around =
        is_of_graph ? kNone : table::enclosing_operator(input.tree, input.issuing_row[i]);
    if (call == kNone) {
      const auto like = by_kernel.find(event.name);
      around = like == by_kernel.end() ? kNone : like->second;
    }
    const OperatorKind kind =
        around == kNone ? OperatorKind::other : names.kind(timeline.events[around]);
    const bool multiplies = uses_tensor_cores || can_use_tensor_cores(kind);
    const profile::Precision precision =
        multiplies ? precision_of.of_kernel(event, around) : profile::Precision::unknown;
    if (around != kNone) {
      add_joined(times, kind, precision, ns, uses_tensor_cores);
    }
    if (multiplies) {
      times.precision.add(precision, ns);
    }
  }
  return times;
}

std::vector<Metric> joined(std::vector<Metric> metrics, std::vector<Metric> more) {
  metrics.insert(
      metrics.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  return metrics;
}

// The CPU itself computes where there is no device.
std::vector<Metric> without_kernels(const TraceInput& input, const std::string& why) {
  std::vector<Metric> metrics = not_applicable(kNames, why);
  std::vector<Metric> precision = not_applicable(kPrecisionNames, why);
  if (!input.partition.has_device_rows && why_no_operators(input).empty()) {
    const HostProducts products = host_products(input);
    metrics[3] = share_of_steps(std::string(kNames[3].id), products.both_ns, input);
    metrics[4] = share_of_steps(std::string(kNames[4].id), products.convolution_ns, input);
    precision = precision_ratios(products.precision, input);
  }
  return joined(std::move(metrics), std::move(precision));
}

}  // namespace

std::vector<Metric> tensor_core_ratios(const TraceInput& input) {
  if (const std::string why = why_no_kernels(input); !why.empty()) {
    return without_kernels(input, why);
  }
  const KernelTimes times = sum_kernels(input);
  if (times.all_ns <= 0) {
    constexpr const char* kNothingRan = "no kernel ran within a step";
    return joined(not_applicable(kNames, kNothingRan),
                  not_applicable(kPrecisionNames, kNothingRan));
  }
  std::vector<Metric> precision = precision_ratios(times.precision, input);
  std::vector<Metric> metrics =
      not_applicable(kNames,
                     2 * times.graph_ns > times.all_ns
                         ? "most kernels were launched by calls of many (CUDA graphs), which tell "
                           "no operator of them"
                         : "no kernel can be joined to the operator that launched it");
  metrics[1] = over_steps(kNames[1], times.tensor_core_ns / times.all_ns, input);
  if (times.joined_ns <= 0 || 2 * times.graph_ns > times.all_ns) {
    return joined(std::move(metrics), std::move(precision));
  }
  const auto steps_ns = static_cast<double>(input.partition.total_ns());
  metrics[0] = times.eligible_ns > 0
                   ? over_steps(kNames[0], times.eligible_tensor_core_ns / times.eligible_ns, input)
                   : not_applicable(kNames[0], "no operator ran that tensor cores can compute");
  metrics[2] = over_steps(kNames[2], times.eligible_ns / times.all_ns, input);
  metrics[3] = over_steps(kNames[3], (times.product_ns + times.convolution_ns) / steps_ns, input);
  metrics[4] = over_steps(kNames[4], times.convolution_ns / steps_ns, input);
  return joined(std::move(metrics), std::move(precision));
}

}  // namespace tune::metric
