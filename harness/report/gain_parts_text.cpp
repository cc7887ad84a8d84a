#include "report/gain_parts_text.h"

#include "report/number_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <vector>

namespace tune::report {

namespace {

using advice::Attribution;
using advice::MeasuredGain;
using advice::PhaseChange;

// A tenth of a point; less is not worth a word.
constexpr double kNotable = 0.0005;

// "+15.2" of 0.152.
std::string points_text(double gain) {
  std::array<char, 32> text{};
  (void)std::snprintf(text.data(), text.size(), "%+.1f", 100 * gain);
  return text.data();
}

// "-0.350" of ms: a saving has a sign.
std::string saved_text(double seconds) {
  std::array<char, 48> text{};
  (void)std::snprintf(text.data(), text.size(), "%+.3f", 1e3 * seconds);
  return text.data();
}

std::string ms_text(double seconds) {
  std::array<char, 48> text{};
  (void)std::snprintf(text.data(), text.size(), "%.3f", 1e3 * seconds);
  return text.data();
}

}  // namespace

std::string before_after_words(const MeasuredGain& gain) {
  std::string text = number_text(gain.before) + " samples/s before, ";
  text += number_text(gain.after) + " after";
  if (gain.attribution) {
    text += "; " + ms_text(gain.attribution->before_s) + " ms a sample before, ";
    text += ms_text(gain.attribution->after_s) + " after";
  }
  return text;
}

std::string gain_parts_words(const MeasuredGain& gain) {
  if (!gain.attribution) {
    return "";
  }
  std::vector<const PhaseChange*> parts;
  parts.reserve(gain.attribution->phases.size());
  for (const PhaseChange& phase : gain.attribution->phases) {
    if (std::fabs(phase.gain) >= kNotable) {
      parts.push_back(&phase);
    }
  }
  std::stable_sort(parts.begin(), parts.end(), [](const PhaseChange* a, const PhaseChange* b) {
    return std::fabs(a->gain) > std::fabs(b->gain);
  });
  std::string text = "of the " + points_text(gain.value);
  text += " points: ";
  for (const PhaseChange* const phase : parts) {
    text += phase == parts.front() ? "" : ", ";
    text.append(phase->label).append(" ").append(points_text(phase->gain));
  }
  return text;
}

TextTable gain_parts_table(const MeasuredGain& gain) {
  TextTable table{
      .heading = {"part of a step", "before, ms", "after, ms", "saved, ms", "share", "points"},
      .rows = {}};
  if (!gain.attribution) {
    return table;
  }
  const Attribution& all = *gain.attribution;
  table.rows.reserve(all.phases.size() + 1);
  for (const PhaseChange& phase : all.phases) {
    table.rows.push_back({std::string(phase.label),
                          ms_text(phase.before_s),
                          ms_text(phase.after_s),
                          saved_text(phase.saved_s),
                          share_text(phase.share),
                          points_text(phase.gain)});
  }
  table.rows.push_back({"sum",
                        ms_text(all.before_s),
                        ms_text(all.after_s),
                        saved_text(all.saved_s),
                        share_text(1),
                        points_text(gain.value)});
  return table;
}

std::string prediction_words(const advice::Recommendation& recommendation) {
  const advice::PredictedGain& predicted = recommendation.predicted;
  if (!recommendation.measured || !predicted.is_known()) {
    return "";
  }
  const double value = recommendation.measured->value;
  return value < *predicted.lower   ? "less than predicted"
         : value > *predicted.upper ? "more than predicted"
                                    : "as predicted";
}

}  // namespace tune::report
