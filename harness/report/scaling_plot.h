#pragma once

#include "report/markup.h"
#include "report/scaling.h"

namespace tune::report {

/// Throughput along an ordered knob: a line over the band of its intervals, the knee marked, and,
/// where the knob adds workers, dashed what they would do if each did as much as the first. Values
/// stand at equal distances. `id` is unique in the page.
Markup scaling_plot(const ScalingAxis& axis, const std::string& id);

}  // namespace tune::report
