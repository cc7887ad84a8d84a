#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <string>

namespace tune::report {

/// Lines of a scenario's text, from 1, that a remark belongs to. Of a text that cannot be read as a
/// scenario every line is 1.
class ScenarioLines {
 public:
  explicit ScenarioLines(const std::string& text);

  /// Where the baseline sets the knob; else where the grid does; else the section `baseline:`.
  std::int64_t of_baseline(const std::string& knob) const;
  /// Where the grid lists the knob; else the section `grid:`.
  std::int64_t of_grid(const std::string& knob) const;
  /// Where the gate lists the metric; else its section; else the name.
  std::int64_t of_gate(const std::string& metric) const;
  std::int64_t of_name() const;

 private:
  std::int64_t first_of(std::initializer_list<std::string> places) const;

  std::map<std::string, std::int64_t, std::less<>> lines_;  ///< "grid.num_workers" -> 9
};

}  // namespace tune::report
