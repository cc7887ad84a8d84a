#pragma once

#include "trial/trial_spec.h"
#include "worker/script/step.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tune::script {

/// Consecutive steps timed as one block, from the first of `steps` on: each lasts at least
/// `measure.slice_ns` and has at least `measure.slice_steps`; at most `measure.slices` of them.
/// Steps that are left over are in none. What is outside of steps counts in no slice, so that a
/// slice may last longer by the clock than its `wall_ns`.
std::vector<trial::Slice> slices_of(std::span<const Step> steps, const trial::Measure& measure);

/// The steps between two marks: after the first one numbered `from`, before the first one numbered
/// `to`, or up to the last step where there is none. Empty without `from`.
std::span<const Step> steps_between(const GroupedNotes& notes, std::int64_t from, std::int64_t to);

/// Evaluation's share of the time, of whole periods: from the end of the first evaluation to the
/// end of the last. Nothing with fewer than two, which do not tell how often one comes. Nothing
/// either where a script without a loader computes without gradients before more than every fifth
/// step: a policy acts then, which is a part of the training.
std::optional<double> evaluation_ratio(const GroupedNotes& notes);

/// Why nobody can tell what a step or its samples are, as a sentence that asks for `count:`; ""
/// where there is nothing to ask.
std::string what_to_count(const GroupedNotes& notes);

}  // namespace tune::script
