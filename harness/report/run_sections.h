#pragma once

#include "measure/campaign/campaign_result.h"
#include "report/block.h"
#include "report/page_detail.h"
#include "result/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace tune::report {

/// A run as its reports see it.
struct Run {
  const result::Result& result;  ///< what result.json says, of any version
  /// What the run directory alone knows (curves, single steps, what processes printed); nothing
  /// where the result.json is alone, and then a section does without or has no block.
  const campaign::CampaignResult* directory = nullptr;
  std::string_view json = {};  ///< its text, as it was read or will be written; "": not made yet
};

// The sections of a run's reports in their order; each says everything once, for every rendering.
// run_pages.cpp says which report has which.

/// Heading, headline, the three facts (how much faster, how sure, what to change), what makes them
/// worth less, tiles.
Section run_answer_section(const Run& run);
/// The knobs of the best setting.
Section run_change_section(const Run& run);
/// What was seen of the user's own script, and what became of each knob in it; no block without
/// one.
Section run_script_section(const Run& run);
/// Each confirmed cell in a sentence, with its looks; then how long an epoch takes with it.
Section run_confirmation_section(const Run& run);
Section run_gains_section(const Run& run, const PageDetail& detail = {});
/// What the rules say of the baseline; no block where they were not asked.
Section run_advice_section(const Run& run, const PageDetail& detail = {});
/// Predicted and measured gains, of this run and those before it; no block where no rule was asked.
Section run_predictions_section(const Run& run);
/// The parts of a step; of inference how long one takes.
Section run_time_section(const Run& run);
/// Every setting, failures too; Pareto front, two knobs at once, knob by knob, which of them
/// matter.
Section run_ranking_section(const Run& run, const PageDetail& detail = {});
/// What recorded steps consist of; no block where none was asked for.
Section run_recorded_section(const Run& run);
/// Stages of the loader, samples ahead, page cache.
Section run_pipeline_section(const Run& run);
/// Peak memory and head-room, allocator, memory curve, kernels, operators, numbers of the trace.
Section run_memory_section(const Run& run, const PageDetail& detail = {});
/// Curves and numbers of the machine while trials ran; no block where none recorded it.
Section run_machine_section(const Run& run);
/// How near the baseline came to the probed limits of its machine; no block where no rule was
/// asked.
Section run_limits_section(const Run& run);
/// Ordered knobs with their knees; no block where none has three measured values.
Section run_scaling_section(const Run& run);
/// Settings with several devices, and the ranks of baseline and best one; no block without any.
Section run_devices_section(const Run& run);
/// The same for a terminal, a line for each of the first such settings: "2 devices, ...".
std::vector<std::string> devices_lines(const Run& run);
/// Steps in the order run, their spread, trials over the time of the run.
Section run_stability_section(const Run& run, const PageDetail& detail = {});
/// The baseline's rate over earlier runs that compare with this one, and earlier gates of the
/// scenario; no block without any.
Section run_history_section(const Run& run);
Section run_failures_section(const Run& run, const PageDetail& detail = {});
/// Settings that no trial was run of; no block where all ran.
Section run_unmeasured_section(const Run& run, const PageDetail& detail = {});
Section run_skipped_section(const Run& run);
Section run_environment_section(const Run& run);
/// Rules of measuring, warm-up, end of the search, audit, every trial.
Section run_method_section(const Run& run, const PageDetail& detail = {});
/// What the search found and spent against every cell measured in full; "" where no audit was asked
/// for.
std::string audit_text(const result::Result& result);
Section run_reproduce_section(const Run& run, const PageDetail& detail = {});

}  // namespace tune::report
