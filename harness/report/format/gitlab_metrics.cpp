#include "report/format/core_metric.h"
#include "report/format/formats.h"
#include "report/format/metric_family.h"
#include "report/format/stored_text.h"

namespace tune::report {

std::string to_gitlab_metrics(const result::Result& result, const FormatOptions& /*options*/) {
  constexpr int kDigits = 3;
  MetricFamilies families;
  for (const CoreMetric& each : core_metrics(result)) {
    const auto [name, unit] = family_name(each.metric, each.number.unit);
    families.gauge(name,
                   unit,
                   {{"scenario", result.scenario.name}, {"setting", each.setting}},
                   rounded_text(*each.number.value, kDigits));
  }
  if (result.gate && !result.gate->verdict.empty()) {
    for (const result::GateRow& row : result.gate->rows) {
      if (row.delta.value) {
        const auto [name, unit] = family_name("gate_change", "ratio");
        families.gauge(name,
                       unit,
                       {{"scenario", result.scenario.name}, {"metric", row.metric}},
                       rounded_text(*row.delta.value, 2));
      }
    }
  }
  return families.text();
}

}  // namespace tune::report
