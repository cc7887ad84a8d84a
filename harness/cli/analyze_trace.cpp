#include "cli/analyze_trace.h"

#include "advice/diagnosis.h"
#include "advice/rule/trace_facts.h"
#include "base/clock.h"
#include "cli/ask_rules.h"
#include "cli/standard_streams.h"
#include "cli/terminal.h"
#include "cli/trace_answer.h"
#include "measure/campaign/limit_use.h"
#include "measure/campaign/trial_facts.h"
#include "report/trace_json.h"
#include "report/trace_pages.h"
#include "trace/metric/trace_input.h"
#include "trace/metric/trace_metrics.h"

#include <iostream>
#include <unistd.h>
#include <utility>

namespace tune::cli {

namespace {

rule::FactTable facts_of(const report::TraceAnalysis& analysis, const RecordedTrial* recorded) {
  rule::FactTable facts = rule::facts_of_trace(analysis.input, analysis.metrics);
  if (recorded != nullptr) {
    campaign::add_trial_facts(recorded->trial, recorded->machine, facts);
    if (const auto& dilation = recorded->script.dilation) {
      facts.set("profiler_dilation_ratio",
                {.result = expression::Value::of(*dilation),
                 .source = "trial " + recorded->trial.spec.id});
    }
    const campaign::StoredProbe probe = probe_of(recorded->machine);
    campaign::add_unprobed(probe, facts);
    campaign::limit_use(probe, {recorded->trial.spec, nullptr}, facts);
  }
  return facts;
}

advice::Diagnosis diagnosis_of(const rule::Catalog& catalog,
                               const report::TraceAnalysis& analysis,
                               const RecordedTrial* recorded) {
  advice::Diagnosis diagnosis = advice::diagnose(catalog, facts_of(analysis, recorded));
  for (advice::Recommendation& recommendation : diagnosis.recommendations) {
    if (recorded != nullptr) {
      recommendation.unmeasured =
          "predicted only: " + recorded->script.measure_command + " measures what can be set";
    }
  }
  return diagnosis;
}

void print(const AnalyzeRequest& request,
           const report::TraceAnalysis& analysis,
           const std::string& json) {
  if (request.as_json) {
    std::cout << json;
  } else {
    std::cout << trace_answer(analysis, look_at(STDOUT_FILENO, request.color), request.verbose);
  }
  std::vector<std::string> warnings = analysis.input.timeline.notes.warnings();
  for (std::string& warning : warnings) {
    warning.insert(0, analysis.input.timeline.file + ": ");
  }
  print_warnings(request, warnings);
}

}  // namespace

ExitCode analyze_trace(const AnalyzeRequest& request,
                       const std::string& trace,
                       const RecordedTrial* recorded) {
  const profile::ReadOptions options = read_options(request);
  const rule::Catalog catalog = read_rules(request.rules);  // complains before anything is read
  const report::AnalysisRecord record = begin_record(request, stem_of(trace));
  const std::int64_t start_ns = monotonic_ns();
  const profile::Timeline timeline = read_named_trace(trace, options);
  const std::int64_t read_ns = monotonic_ns();
  const metric::TraceInput input = metric::examine(timeline);
  report::TraceAnalysis analysis{.input = input,
                                 .metrics = metric::trace_metrics(input),
                                 .tables = table::all_tables(metric::table_input(input))};
  analysis.what_if = parse_what_if(request.what_if);
  analysis.script = recorded == nullptr ? nullptr : &recorded->script;
  const advice::Diagnosis diagnosis = diagnosis_of(catalog, analysis, recorded);
  analysis.diagnosis = &diagnosis;
  analysis.read_ns = read_ns - start_ns;
  analysis.examine_ns = monotonic_ns() - read_ns;
  analysis.tune_version = record.tune_version;
  analysis.commit = record.commit;
  analysis.command = record.command;
  analysis.started_utc = record.started_utc;
  analysis.directory = record.directory;
  const std::string json = report::to_trace_json(analysis);
  if (!request.dry_run) {
    write_analysis(analysis.directory,
                   {.json = json,
                    .markdown = report::to_trace_markdown(analysis),
                    .html = report::to_trace_html(analysis)});
  }
  print(request, analysis, json);
  return ExitCode::fine;
}

}  // namespace tune::cli
