#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tune::report {

// Text of OpenMetrics 1.0, shared by the two formats that are written in it.

/// Label -> value, written in this order.
using Labels = std::vector<std::pair<std::string, std::string>>;

/// Families of samples in the order of their first sample; a sample that already exists stays as
/// it is.
class MetricFamilies {
 public:
  /// A gauge; nothing is added where there is no number. `unit` is "" or the suffix of the name.
  void gauge(const std::string& name,
             const std::string& unit,
             const Labels& labels,
             const std::string& value);
  /// Exactly one of `all` is true; nothing is added where `state` is none of them.
  void states(const std::string& name,
              const Labels& labels,
              const std::vector<std::string>& all,
              const std::string& state);
  /// Always 1: what matters are the labels.
  void info(const std::string& name, const Labels& labels);

  /// The exposition, with "# EOF" at its end.
  std::string text() const;

 private:
  struct Family {
    std::string name, type, unit;
    std::vector<std::string> samples;
  };
  void add(const std::string& name,
           const std::string& type,
           const std::string& unit,
           const std::string& sample);

  std::vector<Family> families_;
};

/// Name and unit of the family of a metric: "step_time" in s -> {"tune_step_seconds", "seconds"},
/// "throughput" -> {"tune_throughput_samples_per_second", "samples_per_second"}; `part` ("lower")
/// comes before the unit.
std::pair<std::string, std::string> family_name(const std::string& metric,
                                                const std::string& unit,
                                                const std::string& part = "");

}  // namespace tune::report
