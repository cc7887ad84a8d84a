#pragma once

#include "result/result.h"

#include <string>

namespace tune::report {

struct FormatOptions {
  std::string root;  ///< folder of the repository: files in it are named as seen from there; or ""
};

// A result in the formats of other programs, one file each; all_formats.h is their list. None of
// them throws, whatever the result holds, and what is not known is left out, never 0.

/// Long form, one number a row: metrics and gains of cells, rates of trials and of their slices,
/// predicted and measured gains of recommendations, rows of a gate. RFC 4180 (quotes, CRLF) with a
/// header. A text that a spreadsheet would take for a formula begins with an apostrophe.
std::string to_csv(const result::Result& result, const FormatOptions& options);

/// JUnit XML as continuous-integration servers read it: one suite a scenario; of a run one case a
/// cell (failed cells are errors, those that ran out of memory or did not run are skipped), of a
/// gate one case a gated row: REGRESSED is a failure, INCONCLUSIVE is skipped (or a failure, where
/// the policy says so), a side that failed is an error. In modes other than enforce nothing fails.
std::string to_junit(const result::Result& result, const FormatOptions& options);

/// SARIF 2.1.0, one run: notices.h at the scenario's lines, with fingerprints of rule, scenario and
/// subject, so that code scanning finds the same one again.
std::string to_sarif(const result::Result& result, const FormatOptions& options);

/// OpenMetrics 1.0 text: one gauge family a metric, in base units, with `_lower` and `_upper`
/// next to it; verdicts as state sets.
std::string to_openmetrics(const result::Result& result, const FormatOptions& options);

/// What GitLab's metrics report compares as texts: OpenMetrics of the core metrics, rounded to
/// three digits, so that noise is rarely a change.
std::string to_gitlab_metrics(const result::Result& result, const FormatOptions& options);

/// JSON of Google Benchmark: one iteration is one sample, one repetition is one trial.
std::string to_google_benchmark(const result::Result& result, const FormatOptions& options);

/// Bencher Metric Format: {benchmark: {measure: {value, lower_value, upper_value}}}; the built-in
/// measures `throughput` and `latency` (ns of a step), and `epoch-time` (s), `data-wait-ratio`,
/// `peak-memory-bytes`.
std::string to_bencher(const result::Result& result, const FormatOptions& options);

/// github-action-benchmark with the tool customBiggerIsBetter: rates.
std::string to_bigger_is_better(const result::Result& result, const FormatOptions& options);

/// github-action-benchmark with the tool customSmallerIsBetter: times and sizes.
std::string to_smaller_is_better(const result::Result& result, const FormatOptions& options);

/// GitLab's Code Quality report, a list of issues: notices.h at the scenario's lines, with SARIF's
/// fingerprints. GitLab reads it as an artifact of a job: its log takes no commands.
std::string to_gitlab_code_quality(const result::Result& result, const FormatOptions& options);

/// Workflow commands of GitHub Actions (::error file=...::...): notices.h, at most 10 of each kind,
/// for GitHub drops the rest without a word.
std::string to_github_annotations(const result::Result& result, const FormatOptions& options);

}  // namespace tune::report
