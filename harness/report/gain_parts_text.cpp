#include "report/gain_parts_text.h"

#include "base/text.h"
#include "report/number_text.h"
#include "trial/trial_reply.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <vector>

namespace tune::report {

namespace {

using result::MeasuredGain;
using result::PhaseChange;
using Align = Table::Align;

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

// As people call it.
std::string label_of(const PhaseChange& change) {
  for (const trial::StepPhase& phase : trial::kStepPhases) {
    if (phase.id == change.phase) {
      return std::string(phase.label);
    }
  }
  return one_line(change.phase);
}

}  // namespace

std::string before_after_words(const MeasuredGain& gain) {
  std::string text = number_text(gain.before) + " samples/s before, ";
  text += number_text(gain.after) + " after";
  if (gain.attribution) {
    text += "; " + ms_text(gain.attribution->before) + "ms a sample before, ";
    text += ms_text(gain.attribution->after) + "ms after";
  }
  return text;
}

std::string gain_parts_words(const MeasuredGain& gain) {
  if (!gain.attribution || !gain.gain.value) {
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
  std::string text = "of the " + points_text(*gain.gain.value);
  text += " points: ";
  for (const PhaseChange* const phase : parts) {
    text += phase == parts.front() ? "" : ", ";
    text += label_of(*phase) + " " + points_text(phase->gain);
  }
  return text;
}

Table gain_parts_table(const MeasuredGain& gain) {
  Table table{.columns = {{"part of a step"},
                          {"before, ms", Align::right},
                          {"after, ms", Align::right},
                          {"saved, ms", Align::right},
                          {"share", Align::right},
                          {"points", Align::right}}};
  if (!gain.attribution) {
    return table;
  }
  const result::Attribution& all = *gain.attribution;
  table.rows.reserve(all.phases.size() + 1);
  for (const PhaseChange& phase : all.phases) {
    table.rows.push_back({label_of(phase),
                          ms_text(phase.before),
                          ms_text(phase.after),
                          saved_text(phase.saved),
                          share_text(phase.share),
                          points_text(phase.gain)});
  }
  table.rows.push_back({"sum",
                        ms_text(all.before),
                        ms_text(all.after),
                        saved_text(all.saved),
                        share_text(1),
                        points_text(gain.gain.value.value_or(0))});
  return table;
}

}  // namespace tune::report
