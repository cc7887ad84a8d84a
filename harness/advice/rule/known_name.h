#pragma once

#include "base/expression/expression.h"
#include "base/expression/value.h"

#include <map>
#include <string>
#include <string_view>

namespace tune::rule {

/// Where the value of a name comes from.
enum class Origin {
  trace,      ///< rows of a profiler's trace
  knob,       ///< the setting that ran
  machine,    ///< facts about the machine, read before anything runs
  trial,      ///< the worker's reply: measured window, counters
  telemetry,  ///< sampled while a trial runs: clocks, temperatures, other processes
  probe,      ///< calibrations, and runs with synthetic, cached and cold data
  history,    ///< earlier runs, a baseline, a gate
  ranks,      ///< the traces of several ranks
  nothing     ///< nothing measures it yet
};

/// A name that rules may use.
struct KnownName {
  expression::Type type;
  Origin origin = Origin::trace;
};

/// Every name: the metrics of a trace, the knobs, the facts that a `forbid` may name, and what
/// further_names() lists. One namespace; a metric that trace_metrics() gives needs no line
/// anywhere.
const std::map<std::string, KnownName, std::less<>>& known_names();

/// Null when no rule may use it.
const KnownName* find_known_name(std::string_view name);

/// Why a name has no value where nothing of that origin was looked at: "only a run of tune measures
/// it".
const char* why_missing(Origin origin);

/// Whether a run of tune could give it while a trace cannot.
bool needs_a_run(Origin origin);

/// What a metric's unit means in expressions: "s" is a time, "B/s" bytes per second, "samples/s" a
/// frequency; "ratio", "count" and every other word are plain numbers.
expression::Dimension dimension_of_unit(std::string_view unit);

/// The unit in which a number of this dimension is written: "s", "B", "B/s", "1/s", "degC"; "" of a
/// plain one and of what has no unit of its own.
std::string_view unit_of_dimension(const expression::Dimension& dimension);

}  // namespace tune::rule
