#include "report/trace_notes.h"

#include "report/number_text.h"

#include <algorithm>
#include <array>

namespace tune::report {

namespace {

using profile::NoteClass;
using profile::NoteKind;

std::string class_name(NoteClass of_class) {
  return of_class == NoteClass::dropped    ? "dropped"
         : of_class == NoteClass::repaired ? "repaired"
                                           : "skipped";
}

// One line a kind; what nobody asked for (skipped) has no place.
std::vector<std::string> lines_of(const profile::ReaderNotes& notes, bool with_skipped) {
  std::vector<std::string> lines;
  lines.reserve(profile::kNoteKinds);
  for (std::size_t i = 0; i < profile::kNoteKinds; ++i) {
    const auto kind = static_cast<NoteKind>(i);
    const NoteClass of_class = profile::note_class(kind);
    const profile::Note& note = notes.of(kind);
    const bool is_skipped = of_class == NoteClass::skipped;
    if (note.count == 0 || (is_skipped && !with_skipped)) {
      continue;
    }
    std::string line = class_name(of_class) + ": ";
    line += profile::note_text(kind);
    line += ": " + grouped(note.count);
    if (note.first_offset >= 0 && !is_skipped) {
      line += ", the first at byte " + std::to_string(note.first_offset) + " of the JSON";
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

// From this share of the steps or kernels on it is said first; both limits are ours.
struct Limit {
  const char* metric;
  double ratio;
  const char* text;
};
constexpr std::array<Limit, 2> kLimits = {{
    {"uncorrelated_kernel_ratio",
     0.01,
     "of the kernels have no launching call in the trace: numbers of launches and queues lack "
     "them"},
    {"overhead_ratio", 0.05, "of the steps the profiler itself was at work"},
}};

void add_metrics(const TraceAnalysis& analysis, std::vector<std::string>& lines) {
  for (const Limit& limit : kLimits) {
    for (const metric::Metric& metric : analysis.metrics) {
      if (metric.id == limit.metric && metric.is_applicable() && *metric.value > limit.ratio) {
        lines.push_back(value_text(*metric.value, metric.unit) + " " + limit.text);
      }
    }
  }
}

}  // namespace

std::string unfinished_words(const profile::Steps& steps) {
  return counted(steps.unfinished, "step") +
         " cut off by --memory or by the end of the file: not counted";
}

namespace {

void add_steps(const profile::Steps& steps, std::vector<std::string>& lines) {
  if (steps.unfinished > 0) {
    lines.push_back(unfinished_words(steps));
  }
  if (steps.are_passed_over) {
    lines.emplace_back(
        "the marked steps (ProfilerStep#N) are over before the GPU does a tenth of its work: the "
        "whole trace counts as one step");
  } else if (!steps.inferred_from.empty()) {
    lines.push_back("no step is marked (ProfilerStep#N): inferred from " + steps.inferred_from +
                    ", without what came before the first and after the last");
  } else if (!steps.are_known && !steps.steps.empty()) {
    lines.emplace_back(
        "no step is marked (ProfilerStep#N): the whole trace counts as one, with what came before "
        "and after the training in it");
  } else if (steps.steps.size() == 1) {
    lines.emplace_back("one step was recorded: it may not be like the others");
  }
}

}  // namespace

std::vector<std::string> note_lines(const TraceAnalysis& analysis, bool with_skipped) {
  const profile::ReaderNotes& notes = analysis.input.timeline.notes;
  std::vector<std::string> lines = notes.warnings();
  const std::vector<std::string> counts = lines_of(notes, with_skipped);
  lines.insert(lines.end(), counts.begin(), counts.end());
  if (!with_skipped) {
    return lines;
  }
  lines.reserve(lines.size() + notes.other_categories().size());
  for (const auto& [category, count] : notes.other_categories()) {
    lines.push_back("unused: rows of category " + category + ": " + grouped(count));
  }
  return lines;
}

std::vector<std::string> trust_lines(const TraceAnalysis& analysis) {
  constexpr std::size_t kMost = 100;
  const profile::ReaderNotes& notes = analysis.input.timeline.notes;
  std::vector<std::string> lines = notes.warnings();
  add_steps(analysis.input.partition.steps, lines);
  add_metrics(analysis, lines);
  const std::vector<std::string> counts = lines_of(notes, false);
  lines.insert(lines.end(), counts.begin(), counts.end());
  lines.resize(std::min(lines.size(), kMost));
  return lines;
}

}  // namespace tune::report
