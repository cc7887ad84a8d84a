#include "advice/rule/further_names.h"

#include <algorithm>
#include <array>
#include <initializer_list>

namespace tune::rule {

namespace {

using expression::Type;

const Type kNumber{.kind = Type::Kind::number};
const Type kTime{.kind = Type::Kind::number, .dimension = {.time = 1}};
const Type kBytes{.kind = Type::Kind::number, .dimension = {.bytes = 1}};
const Type kByteRate{.kind = Type::Kind::number, .dimension = {.time = -1, .bytes = 1}};
const Type kRate{.kind = Type::Kind::number, .dimension = {.time = -1}};
const Type kTemperature{.kind = Type::Kind::number, .dimension = {.temperature = 1}};
const Type kFlag{.kind = Type::Kind::boolean};
const Type kText{.kind = Type::Kind::text};
const Type kTexts{.kind = Type::Kind::list, .element = {Type::Kind::text}};

void add(std::vector<FurtherName>& all,
         const KnownName& known,
         std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    all.push_back({name, known});
  }
}

// What rows of a trace can tell, where a metric of that name does not deliver it already.
void add_trace(std::vector<FurtherName>& names) {
  add(names,
      {kNumber, Origin::trace},
      {"allocator_retry_count",
       "attention_unfused_ratio",
       "autotune_event_count",
       "conv_bias_bn_count",
       "distinct_shape_count",
       "early_step_ratio",
       "extra_h2d_count",
       "fp32_gemm_ratio",
       "layout_kernel_ratio",
       "layout_op_ratio",
       "long_wait_ratio",
       "misaligned_gemm_ratio",
       "parameter_count",
       "select_run_length",
       "select_run_ratio",
       "sync_memset_count",
       "zero_fill_count",
       "zero_fill_ratio"});
  add(names, {kTime, Origin::trace}, {"launch_time_mean", "loader_batch_time", "sync_memset_time"});
  add(names, {kBytes, Origin::trace}, {"parameter_bytes"});
  add(names, {kFlag, Origin::trace}, {"loader_ops_on_main_thread"});
  add(names,
      {kText, Origin::trace},
      {"backend",
       "covering_range",
       "gap_host_cover",
       "input_dims",
       "largest_operator",
       "optimizer_class",
       "parallel_api"});
  add(names, {kTexts, Origin::trace}, {"sync_ancestor_ops"});
}

// What is read of the machine and its libraries.
void add_machine(std::vector<FurtherName>& names) {
  add(names,
      {kNumber, Origin::machine},
      {"compute_capability",
       "cpu_quota",
       "cuda_version",
       "cudnn_version",
       "device_count",
       "driver_cuda_version",
       "numa_nodes",
       "usable_cores"});
  add(names, {kBytes, Origin::machine}, {"free_memory_bytes", "host_memory_bytes"});
  add(names, {kFlag, Origin::machine}, {"amx_bf16", "avx512_bf16", "turbo"});
  add(names, {kText, Origin::machine}, {"cpu_capability", "first_node_cpus", "governor"});
}

// What a trial reports: its measured window, its loader, its counters.
void add_trial(std::vector<FurtherName>& names) {
  add(names,
      {kNumber, Origin::trial},
      {"avoidable_run_delay_ratio",
       "checkpoint_every",
       "cpu_op_slowdown_ratio",
       "crop_area_ratio",
       "denormal_ratio",
       "double_parameter_ratio",
       "evaluation_ratio",
       "host_ratio",
       "jpeg_time_ratio",
       "kept_pixel_ratio",
       "kernel_set_distance",
       "log_every",
       "main_thread_run_delay_ratio",
       "minor_fault_count",
       "other_phase_ratio",
       "page_cache_residency_ratio",
       "pin_thread_cpu_ratio",
       "profiler_dilation_ratio",
       "profiler_ratio",
       "ready_queue_empty_ratio",
       "reorder_wait_ratio",
       "run_delay_ratio",
       "runnable_threads",
       "stream_idle_ratio",
       "stream_transfer_ratio",
       "system_time_ratio",
       "unused_gradient_ratio",
       "worker_cpu_ratio",
       "worker_intra_op_threads",
       "worker_time_max_ratio"});
  add(names,
      {kTime, Origin::trial},
      {"decode_time",
       "epoch_time",
       "loader_cpu_time",
       "operator_cost_time",
       "sample_time_p99",
       "step_time_mean",
       "worker_start_time"});
  add(names,
      {kBytes, Origin::trial},
      {"allocation_growth_bytes", "batch_bytes", "dataset_bytes", "peak_memory_bytes"});
  add(names, {kFlag, Origin::trial}, {"allow_tf32", "evaluates_with_gradients", "steady_state"});
  add(names, {kByteRate, Origin::trial}, {"early_read_rate", "late_read_rate"});
  add(names,
      {kRate, Origin::trial},
      {"consumer_rate",
       "context_switch_rate",
       "early_rate",
       "late_rate",
       "loader_rate",
       "throughput"});
}

// What is sampled while a trial runs.
void add_telemetry(std::vector<FurtherName>& names) {
  add(names,
      {kNumber, Origin::telemetry},
      {"cache_hit_ratio",
       "cgroup_throttled_ratio",
       "cpu_frequency_ratio",
       "foreign_gpu_process_count",
       "foreign_gpu_utilisation_ratio",
       "io_wait_ratio",
       "other_cpu_cores",
       "pair_clock_drop_ratio",
       "power_cap_ratio",
       "power_draw_ratio",
       "psi_cpu_ratio",
       "sm_clock_drop_ratio",
       "steal_ratio"});
  add(names, {kByteRate, Origin::telemetry}, {"disk_read_rate", "swap_in_rate"});
  add(names, {kRate, Origin::telemetry}, {"disk_iops"});
  add(names, {kTemperature, Origin::telemetry}, {"gpu_temperature"});
  add(names, {kTexts, Origin::telemetry}, {"throttle_reasons"});
}

// Calibrations, and runs with resident, cached and cold data.
void add_probe(std::vector<FurtherName>& names) {
  add(names,
      {kNumber, Origin::probe},
      {"batch_gain_ratio",
       "best_intra_op_threads",
       "decode_limit_ratio",
       "disk_limit_ratio",
       "fetch_stall_ratio",
       "headroom_ratio",
       "matmul_limit_ratio",
       "needed_workers",
       "operator_limit_ratio",
       "page_fault_limit_ratio",
       "thread_gain_ratio"});
  add(names, {kTime, Origin::probe}, {"predicted_decode_time"});
  add(names, {kByteRate, Origin::probe}, {"link_peak_rate"});
  add(names,
      {kRate, Origin::probe},
      {"best_predicted_rate", "cached_rate", "cold_rate", "predicted_rate", "synthetic_rate"});
}

// Earlier runs.
void add_history(std::vector<FurtherName>& names) {
  add(names,
      {kNumber, Origin::history},
      {"history_run_count", "history_spread_ratio", "slowdown_ratio"});
}

// Traces of several ranks.
void add_ranks(std::vector<FurtherName>& names) {
  add(names, {kNumber, Origin::ranks}, {"last_rank", "rank_count", "straggler_z"});
  add(names,
      {kTime, Origin::ranks},
      {"rank_step_time_max", "rank_step_time_median", "rank_step_time_min"});
}

// What nothing measures yet: a rule without it is not applicable, or asks `known` first.
void add_unmeasured(std::vector<FurtherName>& names) {
  add(names,
      {kNumber, Origin::nothing},
      {"extra_h2d_exposed_ratio",
       "torch_cuda_version",
       "torch_cudnn_version",
       "worker_system_time_ratio"});
  add(names, {kFlag, Origin::nothing}, {"has_device_binary"});
}

std::vector<FurtherName> make_names() {
  std::vector<FurtherName> names;
  names.reserve(256);
  add_trace(names);
  add_machine(names);
  add_trial(names);
  add_telemetry(names);
  add_probe(names);
  add_history(names);
  add_ranks(names);
  add_unmeasured(names);
  return names;
}

}  // namespace

const std::vector<FurtherName>& further_names() {
  static const std::vector<FurtherName> names = make_names();
  return names;
}

const char* why_unmeasured(std::string_view name) {
  return name == "worker_system_time_ratio"
             ? "the system time of loader threads is not told apart from that of the training; "
               "system_time_ratio has both"
             : "nothing measures it yet";
}

}  // namespace tune::rule
