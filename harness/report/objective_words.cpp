#include "report/objective_words.h"

#include "report/number_text.h"

#include <algorithm>
#include <array>

namespace tune::report {

namespace {

constexpr std::array<ObjectiveWords, 4> kWords = {
    {{"", "throughput", "samples/s", "faster", "slower", "more"},
     {"peak_memory_bytes", "peak memory", "B", "better", "worse", "less"},
     {"energy_per_sample", "energy per sample", "J", "better", "worse", "less"},
     {"mfu", "MFU", "ratio", "better", "worse", "more"}}};

}  // namespace

const ObjectiveWords& objective_words(std::string_view metric) {
  const auto* const found = std::find_if(
      kWords.begin(), kWords.end(), [&](const auto& words) { return words.metric == metric; });
  return found == kWords.end() ? kWords.front() : *found;
}

std::string objective_metric(const scenario::Scenario& scenario, const std::string& device) {
  const std::string& metric = scenario.objective.metric;
  const bool is_replaced = metric == "energy_per_sample" && device != "cuda";
  return is_replaced ? "" : std::string(objective_words(metric).metric);
}

std::string faster_text(std::optional<double> gain, const ObjectiveWords& words) {
  const std::string text = gain_text(gain);
  return text.substr(1) + " " + (text.front() == '-' ? words.worse : words.better);
}

std::string change_words(const ObjectiveWords& words,
                         const stats::Number& best,
                         const stats::Number& baseline) {
  const auto text = [&](const stats::Number& number) {
    const double value = number.value.value_or(0);
    return words.unit == std::string_view("ratio") ? share_text(value)
                                                   : metric_text(value, words.unit);
  };
  return std::string("median ") + words.name + " " + text(best) + " against " + text(baseline);
}

std::string sure_faster_text(const stats::Number& gain, const ObjectiveWords& words) {
  return has_vague_size(gain) ? "at least " + faster_text(gain.lower, words)
                              : faster_text(gain.value, words);
}

}  // namespace tune::report
