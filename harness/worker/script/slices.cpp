#include "worker/script/slices.h"

#include <algorithm>

namespace tune::script {

namespace {

void add(const Step& step, trial::Slice& slice) {
  slice.start_ns = slice.steps == 0 ? step.begin_ns : slice.start_ns;
  slice.wall_ns += step.wall_ns();
  slice.samples += step.samples;
  slice.epochs_begun += step.epochs_begun;
  slice.phases += step.phases;
  ++slice.steps;
}

const Mark* find(const GroupedNotes& notes, std::int64_t number) {
  const auto found = std::find_if(notes.marks.begin(), notes.marks.end(), [&](const Mark& mark) {
    return mark.number == number;
  });
  return found == notes.marks.end() ? nullptr : &*found;
}

}  // namespace

std::vector<trial::Slice> slices_of(std::span<const Step> steps, const trial::Measure& measure) {
  std::vector<trial::Slice> slices;
  trial::Slice slice;
  for (const Step& step : steps) {
    if (static_cast<std::int64_t>(slices.size()) >= measure.slices) {
      break;
    }
    add(step, slice);
    if (slice.wall_ns >= measure.slice_ns && slice.steps >= measure.slice_steps) {
      slices.push_back(slice);
      slice = {};
    }
  }
  return slices;
}

std::span<const Step> steps_between(const GroupedNotes& notes, std::int64_t from, std::int64_t to) {
  const Mark* const first = find(notes, from);
  if (first == nullptr) {
    return {};
  }
  const Mark* const last = find(notes, to);
  const std::size_t end = last == nullptr ? notes.steps.size() : last->steps;
  return std::span(notes.steps).subspan(first->steps, std::max(end, first->steps) - first->steps);
}

std::optional<double> evaluation_ratio(const GroupedNotes& notes) {
  constexpr std::size_t kFewestStepsBetween = 5;
  std::int64_t begin_ns = 0, end_ns = 0, evaluated_ns = 0;
  std::size_t evaluated = 0;
  for (const Step& step : notes.steps) {
    if (step.outside.evaluation_ns <= 0) {
      continue;
    }
    ++evaluated;
    evaluated_ns += begin_ns > 0 ? step.outside.evaluation_ns : 0;
    (begin_ns > 0 ? end_ns : begin_ns) = step.end_ns;
  }
  const bool acts = !notes.has_loader && evaluated * kFewestStepsBetween > notes.steps.size();
  return end_ns > begin_ns && !acts
             ? std::optional(std::min(
                   1.0, static_cast<double>(evaluated_ns) / static_cast<double>(end_ns - begin_ns)))
             : std::nullopt;
}

std::string what_to_count(const GroupedNotes& notes) {
  if (notes.steps.empty()) {
    return notes.optimizer_steps > 0
               ? "its updates cannot be told apart as steps: nothing separates them"
           : notes.has_loader ? "batches were taken, and no backward pass followed: if this is "
                                "inference, say 'count: batches'"
                              : "nothing was trained";
  }
  const bool has_samples = std::any_of(
      notes.steps.begin(), notes.steps.end(), [](const Step& step) { return step.samples > 0; });
  return has_samples ? "" : "how many samples a step has cannot be seen";
}

}  // namespace tune::script
