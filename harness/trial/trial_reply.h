#pragma once

#include "trial/device_report.h"
#include "trial/knob_relevance.h"
#include "trial/phase_sums.h"
#include "trial/rank_report.h"
#include "trial/trial_spec.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tune::trial {

/// What else happened on the worker's CPUs during a slice; nothing when /proc does not say.
struct Disturbance {
  std::int64_t minor_faults = 0, major_faults = 0;
  std::int64_t voluntary_switches = 0, involuntary_switches = 0;
  std::int64_t own_cpu_ns = 0;               ///< all threads of the worker
  std::optional<std::int64_t> instructions;  ///< as own_cpu_ns, in user mode; where asked for
  std::optional<std::int64_t> run_delay_ns;  ///< waiting for a CPU, all threads (schedstat)
  std::optional<std::int64_t> other_cpu_ns;  ///< busy time of the worker's CPUs that others used
  std::optional<std::int64_t> idle_cpu_ns;   ///< time in which the worker's CPUs had nothing to do
  std::optional<std::int64_t> steal_ns;      ///< taken by the hypervisor
  std::optional<std::int64_t> resident_bytes;  ///< of the worker at the slice's end
  /// Time in which some task of the machine waited for a CPU, for the disk (/proc/pressure,
  /// "some").
  std::optional<std::int64_t> pressure_cpu_ns, pressure_io_ns;
  std::optional<std::int64_t> throttle_events;  ///< of the worker's CPUs, for heat
  std::optional<double> mean_mhz;               ///< of the worker's CPUs, at the two edges
  /// CPU time of a fixed piece of work on the slowest core: the mean over the slice, and the
  /// minimum of these and of Measure::fastest_core_probe_ns.
  std::optional<std::int64_t> core_probe_ns, fastest_core_probe_ns;
  /// As run_delay_ns, only for the training thread.
  std::optional<std::int64_t> main_run_delay_ns;
  /// CPU time of a Python loader's thread that copies batches into pinned memory.
  std::optional<std::int64_t> pin_thread_cpu_ns;
  bool operator==(const Disturbance&) const = default;
};

/// Consecutive steps that are timed as one block.
struct Slice {
  std::int64_t start_ns = 0;  ///< CLOCK_MONOTONIC
  std::int64_t wall_ns = 0;
  std::int64_t steps = 0, samples = 0;
  std::int64_t epochs_begun = 0;  ///< epoch starts inside the slice
  PhaseSums phases;               ///< sums to wall_ns
  Disturbance disturbance;
  std::int64_t stock_before = 0, stock_after = 0;  ///< samples made ahead, at the edges
  std::optional<DevicePhaseSums> device;           ///< of its steps on the GPU, where there is one
  bool operator==(const Slice&) const = default;
};

/// Whether some of its steps were a replayed CUDA graph, which the host only launches: its phases
/// then say nothing of forward, backward and optimizer.
inline bool has_graph(const Slice& slice) {
  return slice.device && slice.device->graph_ns > 0;
}

/// One file that could not be used as it was.
struct BrokenFile {
  std::string path;
  std::string problem;    ///< "truncated", "is a PNG", "Permission denied"
  std::string treatment;  ///< replaced by <path>, zero, decoded with warnings
  std::int64_t times = 0;
  bool operator==(const BrokenFile&) const = default;
};

/// The flow of samples and batches through a loader whose threads work ahead, over the whole trial.
struct LoaderFlow {
  std::int64_t pulls = 0, empty_pulls = 0;  ///< batches requested; those not ready at that moment
  std::int64_t work_ns = 0;                 ///< all threads, by the clock: making samples
  std::int64_t wait_ns = 0;                 ///< all threads: no slot was free
  /// The part of wait_ns in which the next batch was not ready but a later one was.
  std::int64_t reorder_wait_ns = 0;
  std::int64_t sample_p99_ns = 0;   ///< time of one sample, by the clock
  double slowest_thread_ratio = 1;  ///< mean time of a sample, slowest thread ÷ median thread
  bool operator==(const LoaderFlow&) const = default;
};

/// Statistics of the loader over the whole trial.
struct LoaderReport {
  std::int64_t samples = 0, errors = 0;  ///< delivered; those not decoded as they are
  std::int64_t read_ns = 0, decode_ns = 0, resize_ns = 0;  ///< thread CPU time over all workers
  std::int64_t bytes_read = 0;
  std::vector<BrokenFile> broken;          ///< named at most 100; `errors` counts all
  std::vector<std::string> skipped_types;  ///< "12 .txt": files of the folder that are not images
  /// Share of the files' bytes in the page cache before the trial; nothing without files, or when
  /// the kernel does not tell.
  std::optional<double> resident_ratio;
  /// Mean share of a decoded frame that the crop of a sample keeps; nothing when none was decoded.
  std::optional<double> crop_area_ratio;
  std::optional<LoaderFlow> flow;  ///< if the loader counts it: the ring with workers
  bool operator==(const LoaderReport&) const = default;
};

struct Loss {
  std::int64_t step = 0;
  double value = 0;
  bool operator==(const Loss&) const = default;
};

/// The machine as the worker sees it.
struct WorkerFacts {
  std::string device = "cpu";
  std::string torch_version, cpu_capability, jpeg_version;
  std::int64_t intra_op_threads = 0;
  std::vector<std::int64_t> cpus;                       ///< the CPUs that it may use
  bool bf16_supported = false, fp16_supported = false;  ///< by the CPU's matrix units (oneDNN)
  std::optional<GpuFacts> gpu;                          ///< where device is cuda
  std::string no_gpu;  ///< why `auto` became the CPU; "" when it was asked for
  bool operator==(const WorkerFacts&) const = default;
};

/// Why a worker gave up.
struct Failure {
  /// refused | out-of-memory | threw: the user's plug-in or the device, while it computed
  std::string kind;
  std::string message;
  bool operator==(const Failure&) const = default;
};

/// Start and end of a phase, CLOCK_MONOTONIC ns.
struct PhaseSpan {
  std::string name;
  std::int64_t start_ns = 0, end_ns = 0;
  bool operator==(const PhaseSpan&) const = default;
};

/// How the length of the warm-up was found (Measure::find_warmup).
struct SteadyRecord {
  bool steady = false;
  std::int64_t cut = 0, steps = 0;  ///< steps before the steady tail; all steps
  double sigma = 0;                 ///< noise of one step, relative
  double guard = 0;    ///< last third of the tail against its first third; 0: too short
  std::string reason;  ///< steady | tail | guard | too-few
  std::int64_t time_to_steady_ns = 0;
  bool operator==(const SteadyRecord&) const = default;
};

/// Duration of the fixed piece of work (Measure::sentinel).
struct Sentinel {
  std::int64_t before_ns = 0, after_ns = 0;
  bool operator==(const Sentinel&) const = default;
};

/// What one step does, independent of its time (Measure::structure).
struct Structure {
  std::int64_t operators = 0, backward_operators = 0;  ///< calls
  /// For the training thread.
  std::int64_t allocations = 0, allocated_bytes = 0, peak_bytes = 0;
  std::int64_t batch_bytes = 0;  ///< of the tensors that the loader gave
  std::int64_t threads = 0;      ///< of the process
  bool operator==(const Structure&) const = default;
};

/// The start of an epoch other than the first.
struct EpochBegin {
  std::int64_t step = 0;          ///< its first one, from 0 over all steps of the trial
  std::int64_t data_wait_ns = 0;  ///< of that step
  bool operator==(const EpochBegin&) const = default;
};

/// What one worker process measured. Lists are in the order of time; int64 ns; sizes in bytes.
struct TrialReply {
  int protocol = kProtocol;
  std::string id;
  WorkerFacts facts;
  std::vector<PhaseSpan> phases;       ///< set-up to write
  std::int64_t warmup_steps = 0;       ///< steps before the measured window
  std::vector<std::int64_t> step_ns;   ///< every step from the first, warm-up included (<= 100,000)
  std::vector<PhaseSums> step_phases;  ///< of the steps of the measured window
  std::vector<Slice> slices;
  bool stock_matched = true;           ///< the loader's stock was equal at the window's edges
  std::vector<Loss> losses;            ///< at steps 1, 2, 4, 8, ... and the last
  std::int64_t peak_memory_bytes = 0;  ///< resident, of the process, in the measured window; since
                                       ///< its start when the kernel cannot reset the peak
  std::int64_t parameters = 0;         ///< of the model
  LoaderReport loader;
  std::vector<IgnoredKnob> ignored_knobs;
  std::vector<Knob> own_knobs;  ///< declared by the user's plug-in, as "plugin.width"
  std::optional<SteadyRecord> warmup_search;
  std::optional<Sentinel> sentinel;
  std::optional<Structure> structure;
  std::vector<EpochBegin> epoch_begins;       ///< at most 1,000
  std::int64_t delay_ns = 0;                  ///< injected, as measured in the window
  std::optional<ProfileOutcome> profile;      ///< if the spec asks for one
  std::vector<DevicePhaseSums> device_steps;  ///< of the measured window, where there is a GPU
  std::optional<DeviceMemory> device_memory;
  std::optional<SeenScript> script;  ///< for the trial of a script
  /// By number, where the knob devices is above 1; the slices then count the samples of all ranks.
  std::vector<RankReport> ranks;
  std::optional<Failure> failure;  ///< set: the lists above may be empty
  bool operator==(const TrialReply&) const = default;

  // Compiled once, in trial_reply.cpp: they are long, and many files use one.
  TrialReply();
  TrialReply(const TrialReply&);
  TrialReply(TrialReply&&) noexcept;
  TrialReply& operator=(const TrialReply&);
  TrialReply& operator=(TrialReply&&) noexcept;
  ~TrialReply();
};

std::string to_json(const TrialReply& reply);

/// Throws tune::Error naming `where` when the text is not a reply of this protocol, a number is out
/// of range, or the parts of a slice do not sum to it. The protocol grows by fields: unknown fields
/// are ignored, and fields that were added later may be missing, so that replies of newer and older
/// workers stay readable.
TrialReply parse_trial_reply(std::string_view text, const std::string& where);

/// Samples per second of the measured window: sum of samples over sum of wall, so that stalls
/// count. Nothing when there is no slice.
std::optional<double> throughput(const TrialReply& reply);

/// The memory that can run out, bytes: on a GPU the peak that tensors took, else the resident
/// memory of the process. 0: unknown.
std::int64_t peak_memory_bytes(const TrialReply& reply);

/// How much recording slowed down the steps: median of the profiled steps / median of the measured
/// steps, 1 when recording costs nothing. On a GPU mean / mean, because the host runs ahead and
/// only whole windows end with a synchronisation. Nothing when either is missing.
std::optional<double> profiler_dilation(const TrialReply& reply);

/// Core probes (trial::Disturbance) whose mean over a slice exceeds the fastest by this factor had
/// to share their core for a third of the time or more. On a virtual machine of two hardware
/// threads whose neighbours belonged to others, the steps of a small MLP in 580 slices of 48
/// processes spread by 20 %, those of the 155 slices within this limit of the fastest of all by 7.5
/// %. Compared only with the fastest of their own process they still spread by 20 %: it may have
/// had a busy neighbour all the time.
constexpr double kMostCoreRatio = 1.3;

/// The fastest core probe known to these slices, ns; nothing without a probe.
inline std::optional<std::int64_t> fastest_core_ns(const std::vector<Slice>& slices) {
  std::optional<std::int64_t> fastest;
  for (const Slice& slice : slices) {
    const auto seen = slice.disturbance.fastest_core_probe_ns;
    if (seen && (!fastest || *seen < *fastest)) {
      fastest = seen;
    }
  }
  return fastest;
}

/// The slice's core probes / the fastest probe; 1 when unknown.
inline double core_ratio(const Slice& slice, const std::optional<std::int64_t>& fastest_ns) {
  const auto mean_ns = slice.disturbance.core_probe_ns;
  return mean_ns && fastest_ns && *fastest_ns > 0
             ? static_cast<double>(*mean_ns) / static_cast<double>(*fastest_ns)
             : 1;
}

/// A phase of a step: its word in files, its words in sentences, and the field with its time.
struct StepPhase {
  std::string_view id, label;
  std::int64_t PhaseSums::*ns;
};

/// All phases in the order of a step; together they make up the step.
inline constexpr std::array<StepPhase, 6> kStepPhases = {
    {{"data_wait", "waiting for data", &PhaseSums::data_wait_ns},
     {"transfer", "transfer and layout", &PhaseSums::transfer_ns},
     {"forward", "forward", &PhaseSums::forward_ns},
     {"backward", "backward", &PhaseSums::backward_ns},
     {"optimizer", "optimizer", &PhaseSums::optimizer_ns},
     {"other", "other", &PhaseSums::other_ns}}};

}  // namespace tune::trial
