#pragma once

#include "advice/rule/fact_table.h"
#include "machine/probe/probe_record.h"
#include "measure/campaign/profiled_cell.h"
#include "trial/trial_spec.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tune::campaign {

/// What decoding one image should cost one worker, before anything has run.
struct ExpectedDecoding {
  std::optional<double> seconds;  ///< mean over the first images of the set
  std::string reason;             ///< why it is not known, or ""
};

/// From the time per byte and per pixel that `tune probe` found on this machine, and the sizes that
/// the images of a generated set have. Whole frames: the probe decodes no parts of them. Sizes do
/// not depend on how many images follow, so that the first 512 will do.
ExpectedDecoding expected_decoding(const probe::ProbeRecord& record,
                                   const trial::Data& data,
                                   std::int64_t classes);

/// How fast recorded steps multiplied.
struct ForwardProducts {
  std::optional<double> flop_rate;  ///< FLOP/s
  std::string reason;               ///< why it is not known; "" when it is
};

/// Operations of the calls of aten::mm, addmm, bmm, baddbmm and conv2d ÷ the time from their begins
/// to their ends, on the host: what a CPU reaches in them. Those are products of the forward pass
/// and matrix products of the backward pass; PyTorch has no formula for convolutions backwards.
/// Needs inputs (record_shapes or with_flops) and steps that recording did not stretch by more than
/// kDilationLimit. `profile` may be null.
ForwardProducts forward_products(const ProfiledCell* profile);

/// What `tune probe` has stored of the machine that a run was measured on, or why there is nothing.
struct StoredProbe {
  std::optional<probe::ProbeRecord> record;
  std::string reason = "this machine has not been probed: tune probe";
};

/// One limit of the machine, and how near a trial came to it.
struct LimitRow {
  std::string id;     ///< of the probe's number: "matmul_flop_rate"
  std::string label;  ///< of the probe's number: "fp32, 2 threads"; "" where it has none
  std::string unit;   ///< of both numbers: "FLOP/s", "B/s", "1/s", "s"
  std::optional<double> reached, limit;
  std::optional<double> ratio;  ///< 1 is at the limit; nothing: `reason`
  std::string reason;
};

struct LimitUse {
  std::string reason;  ///< why there are no rows; "" when there are
  std::string probed_utc;
  bool is_quick = false;  ///< the probe was, so its numbers are noisier
  std::vector<LimitRow> rows;
};

/// The trial to look at; the table of facts has what is known about it.
struct LimitSubject {
  const trial::TrialSpec& spec;
  const ProfiledCell* profile = nullptr;  ///< its recorded steps, where there are some
};

/// How near the trial came to the limits of its machine:
///
///     matmul_flop_rate   operations of forward matrix products and convolutions ÷ the time of
///     their
///                        calls, in the recorded steps (CPU); ratio = reached ÷ limit, at the
///                        trial's type and number of threads
///     decode_time        CPU time of decoding a sample against what the probe's fit says of such
///                        images (generated data, whole frames); ratio = limit ÷ reached
///     disk_read_rate     what was read from disks against the faster of the probe's two ways;
///                        ratio = reached ÷ limit
///     operator_time      the step against its operators × the cost of calling a small one;
///                        ratio = limit ÷ reached: the share of the step that only calling costs
///     page_fault_rate    page faults of 4 KiB a second against what one thread can take;
///                        ratio = reached ÷ limit
///
/// Where it computes on the CPU also peak_flop_rate, peak_memory_rate (copies, read and written)
/// and roofline_efficiency_ratio of the products that the recorded steps name
/// (trace/metric/roofline.h). What a row needs and is not known is its reason. Adds the facts that
/// rules may use: operator_cost_time, predicted_decode_time, link_peak_rate (copies of page-locked
/// memory to the GPU), and the ratios as matmul_limit_ratio, decode_limit_ratio, disk_limit_ratio,
/// operator_limit_ratio and page_fault_limit_ratio.
LimitUse limit_use(const StoredProbe& probe, const LimitSubject& subject, rule::FactTable& facts);

/// Where there is no probe, its reason as that of operator_cost_time and link_peak_rate, which
/// nothing else can tell.
void add_unprobed(const StoredProbe& probe, rule::FactTable& facts);

}  // namespace tune::campaign
