#include "metric/trace_metrics.h"

#include "metric/communication.h"
#include "metric/convolution_bias.h"
#include "metric/copies.h"
#include "metric/critical_path.h"
#include "metric/data_loading.h"
#include "metric/device_use.h"
#include "metric/distinct_shapes.h"
#include "metric/host_syncs.h"
#include "metric/idle_time.h"
#include "metric/launches.h"
#include "metric/layout_ratios.h"
#include "metric/matrix_products.h"
#include "metric/memory_metrics.h"
#include "metric/operator_sequences.h"
#include "metric/other_phase.h"
#include "metric/parameters.h"
#include "metric/partition_ratios.h"
#include "metric/phase_ratios.h"
#include "metric/recompute_ratio.h"
#include "metric/roofline.h"
#include "metric/row_counts.h"
#include "metric/runtime_calls.h"
#include "metric/step_times.h"
#include "metric/tensor_core_ratio.h"
#include "metric/trace_trust.h"
#include "metric/unfused_attention.h"
#include "metric/zero_fills.h"

#include <array>
#include <iterator>

namespace tune::metric {

namespace {

constexpr std::array kMetrics = {&step_time,
                                 &step_count,
                                 &gpu_busy_ratio,
                                 &data_wait_ratio,
                                 &device_tail_time,
                                 &sm_efficiency,
                                 &small_grid_ratio,
                                 &occupancy,
                                 &device_allocation_count,
                                 &largest_step_allocation,
                                 &allocator_retry_count,
                                 &gap_host_cover_ratio,
                                 &other_phase_ratio,
                                 &loader_operator_count,
                                 &layout_kernel_ratio,
                                 &layout_op_ratio,
                                 &recompute_ratio,
                                 &autotune_event_count,
                                 &covering_range_ratio};

std::vector<Metric> copies_to_device(const TraceInput& input) {
  return copy_metrics(input, CopyWay::to_device);
}

std::vector<Metric> copies_to_host(const TraceInput& input) {
  return copy_metrics(input, CopyWay::to_host);
}

std::vector<Metric> copies_within_devices(const TraceInput& input) {
  return copy_metrics(input, CopyWay::within_devices);
}

constexpr std::array kFamilies = {&step_variance,
                                  &data_waits,
                                  &runtime_ratios,
                                  &tensor_core_ratios,
                                  &launch_delays,
                                  &launch_times,
                                  &short_kernels,
                                  &launch_queue,
                                  &idle_breakdown,
                                  &gap_metrics,
                                  &copies_to_device,
                                  &copies_to_host,
                                  &copies_within_devices,
                                  &scalar_sync_metrics,
                                  &sync_call_metrics,
                                  &sync_memcpy_metrics,
                                  &communication_times,
                                  &message_metrics,
                                  &row_counts,
                                  &phase_metrics,
                                  &memory_metrics,
                                  &trace_trust,
                                  &critical_path_ratios,
                                  &matrix_product_ratios,
                                  &operator_sequences,
                                  &zero_fills,
                                  &sync_memset_metrics,
                                  &parameter_metrics,
                                  &critical_path_savings,
                                  &shape_metrics,
                                  &attention_ratios,
                                  &convolution_bias,
                                  &roofline};

}  // namespace

std::vector<Metric> trace_metrics(const TraceInput& input) {
  std::vector<Metric> metrics;
  metrics.reserve(192);
  for (std::size_t role = 0; role < profile::kRoles; ++role) {
    metrics.push_back(partition_ratio(input, static_cast<profile::Role>(role)));
  }
  for (const auto metric : kMetrics) {
    metrics.push_back(metric(input));
  }
  for (const auto family : kFamilies) {
    std::vector<Metric> members = family(input);
    metrics.insert(metrics.end(),
                   std::make_move_iterator(members.begin()),
                   std::make_move_iterator(members.end()));
  }
  return metrics;
}

}  // namespace tune::metric
