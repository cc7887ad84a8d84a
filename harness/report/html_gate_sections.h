#pragma once

#include "report/gate_record.h"
#include "report/markup.h"

namespace tune::report {

// The sections of a gate's report.html in their order. Each is complete in itself and says in words
// when it has nothing to show.

/// Heading, headline, the three facts (how much, how sure, what is allowed), what makes them worth
/// less, tiles.
Markup gate_answer_section(const GateRecord& record);
/// What a build printed that failed; nothing where none did.
Markup gate_build_section(const GateRecord& record);
/// Rules that fired, with the numbers of their conditions; nothing where none did.
Markup gate_findings_section(const GateRecord& record);
/// A row each measured metric, with reason, noise and what can be detected.
Markup gate_rows_section(const GateRecord& record);
/// The difference of each pair, drawn and in numbers; pairs that were lost.
Markup gate_pairs_section(const GateRecord& record);
/// The second comparison, with something older; nothing where none was asked for.
Markup gate_anchor_section(const GateRecord& record);
/// Counts of one step; nothing where none was counted.
Markup gate_counts_section(const GateRecord& record);
/// What each look said and spent; nothing where none was taken.
Markup gate_looks_section(const GateRecord& record);
/// Processes that did not complete; nothing where all did.
Markup gate_failures_section(const GateRecord& record);
/// Commit, settings and files of both sides.
Markup gate_sides_section(const GateRecord& record);
/// What the machine is and what it did meanwhile.
Markup gate_machine_section(const GateRecord& record);
/// Verdicts of earlier gates of the scenario; nothing where none is known.
Markup gate_history_section(const GateRecord& record);
Markup gate_method_section(const GateRecord& record);
Markup gate_reproduce_section(const GateRecord& record);

}  // namespace tune::report
