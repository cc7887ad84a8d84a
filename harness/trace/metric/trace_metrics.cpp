#include "trace/metric/trace_metrics.h"

#include "trace/metric/communication.h"
#include "trace/metric/convolution_bias.h"
#include "trace/metric/copies.h"
#include "trace/metric/costly_gradients.h"
#include "trace/metric/critical_path.h"
#include "trace/metric/data_loading.h"
#include "trace/metric/device_use.h"
#include "trace/metric/distinct_shapes.h"
#include "trace/metric/einsum_order.h"
#include "trace/metric/embedding_gradients.h"
#include "trace/metric/growing_tensors.h"
#include "trace/metric/host_fills.h"
#include "trace/metric/host_syncs.h"
#include "trace/metric/idle_time.h"
#include "trace/metric/largest_operator.h"
#include "trace/metric/launches.h"
#include "trace/metric/layout_ratios.h"
#include "trace/metric/list_conversions.h"
#include "trace/metric/matrix_products.h"
#include "trace/metric/memory_metrics.h"
#include "trace/metric/model_flops.h"
#include "trace/metric/operator_sequences.h"
#include "trace/metric/other_phase.h"
#include "trace/metric/output_head.h"
#include "trace/metric/parameter_loops.h"
#include "trace/metric/parameters.h"
#include "trace/metric/partition_ratios.h"
#include "trace/metric/phase_ratios.h"
#include "trace/metric/recompute_ratio.h"
#include "trace/metric/repeated_backward.h"
#include "trace/metric/repeated_work.h"
#include "trace/metric/roofline.h"
#include "trace/metric/row_counts.h"
#include "trace/metric/runtime_calls.h"
#include "trace/metric/step_times.h"
#include "trace/metric/tensor_core_ratio.h"
#include "trace/metric/trace_trust.h"
#include "trace/metric/unfused_attention.h"
#include "trace/metric/window_trust.h"
#include "trace/metric/zero_fills.h"

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
                                 &other_layer_ratio,
                                 &other_layer_device_ratio,
                                 &irregular_gap_ratio,
                                 &loader_operator_count,
                                 &loader_batch_time,
                                 &loader_receive_ratio,
                                 &layout_kernel_ratio,
                                 &layout_op_ratio,
                                 &recompute_ratio,
                                 &autotune_event_count,
                                 &covering_range_ratio,
                                 &before_layers_ratio,
                                 &host_fill_ratio};

std::vector<Metric> copies_to_device(const TraceInput& input) {
  return copy_metrics(input, CopyWay::to_device);
}

std::vector<Metric> copies_to_host(const TraceInput& input) {
  return copy_metrics(input, CopyWay::to_host);
}

std::vector<Metric> copies_within_devices(const TraceInput& input) {
  return copy_metrics(input, CopyWay::within_devices);
}

constexpr std::array kFamilies = {&operator_shares,      &step_variance,
                                  &data_waits,           &runtime_ratios,
                                  &tensor_core_ratios,   &launch_delays,
                                  &launch_times,         &short_kernels,
                                  &launch_queue,         &idle_breakdown,
                                  &gap_metrics,          &copies_to_device,
                                  &copies_to_host,       &copies_within_devices,
                                  &scalar_sync_metrics,  &sync_call_metrics,
                                  &sync_memcpy_metrics,  &communication_times,
                                  &message_metrics,      &row_counts,
                                  &phase_metrics,        &memory_metrics,
                                  &trace_trust,          &window_trust,
                                  &repeated_work,        &parameter_loops,
                                  &costly_gradients,     &output_head,
                                  &einsum_order,         &list_conversions,
                                  &critical_path_ratios, &matrix_product_ratios,
                                  &operator_sequences,   &zero_fills,
                                  &embedding_gradients,  &sync_memset_metrics,
                                  &parameter_metrics,    &critical_path_savings,
                                  &shape_metrics,        &attention_ratios,
                                  &convolution_bias,     &roofline,
                                  &model_flops,          &repeated_backward,
                                  &growing_tensors};

}  // namespace

std::vector<Metric> trace_metrics(const TraceInput& input) {
  std::vector<Metric> metrics;
  metrics.reserve(228);
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
