#pragma once

#include "campaign/campaign_result.h"
#include "report/markup.h"
#include "report/page_detail.h"

namespace tune::report {

// The sections of report.html in their order. Each is complete in itself and says in words when it
// has nothing to show.

/// Heading, headline, the three facts (how much faster, how sure, what to change), what makes them
/// worth less, tiles.
Markup answer_section(const campaign::CampaignResult& result);
Markup change_section(const campaign::CampaignResult& result);
/// Each confirmed cell with its looks; nothing where none was.
Markup confirmation_section(const campaign::CampaignResult& result);
/// Every setting, failures too; Pareto front, two knobs at once, knob by knob, which of them
/// matter.
Markup ranking_section(const campaign::CampaignResult& result, const PageDetail& detail = {});
/// Ordered knobs with their knees; nothing where none has three measured values.
Markup scaling_section(const campaign::CampaignResult& result);
/// Stages of the loader, samples ahead, page cache.
Markup pipeline_section(const campaign::CampaignResult& result);
/// Peak memory and head-room, allocator, memory curve, kernels, operators, numbers of the trace.
Markup memory_section(const campaign::CampaignResult& result, const PageDetail& detail = {});
/// Steps in the order run, their spread, trials over the time of the run.
Markup stability_section(const campaign::CampaignResult& result, const PageDetail& detail = {});
Markup gains_section(const campaign::CampaignResult& result);
Markup time_section(const campaign::CampaignResult& result);
/// What the rules say of the baseline; nothing where they were not asked.
Markup advice_section(const campaign::CampaignResult& result, const PageDetail& detail = {});
/// Predicted and measured gains, of this run and those before it; nothing where no rule was asked.
Markup predictions_section(const campaign::CampaignResult& result);
/// What recorded steps consist of; nothing where none was asked for.
Markup recorded_section(const campaign::CampaignResult& result);
/// Curves and numbers of the machine while trials ran; nothing where none recorded it.
Markup machine_section(const campaign::CampaignResult& result);
/// How near the baseline came to the probed limits of its machine; nothing where no rule was asked.
Markup limits_section(const campaign::CampaignResult& result);
/// The baseline's rate over earlier runs that compare with this one, and earlier gates of the
/// scenario; nothing without any.
Markup history_section(const campaign::CampaignResult& result);
Markup failures_section(const campaign::CampaignResult& result, const PageDetail& detail = {});
/// Settings that no trial was run of; nothing where all ran.
Markup unmeasured_section(const campaign::CampaignResult& result, const PageDetail& detail = {});
Markup skipped_section(const campaign::CampaignResult& result);
Markup environment_section(const campaign::CampaignResult& result);
Markup method_section(const campaign::CampaignResult& result, const PageDetail& detail = {});
Markup reproduce_section(const campaign::CampaignResult& result, const PageDetail& detail = {});

}  // namespace tune::report
