#pragma once

#include "report/block.h"
#include "report/gate_record.h"

#include <string>

namespace tune::report {

// The sections of a gate's reports; gate_pages.cpp says in which order each report has them. Each
// says in words when it has nothing to show, or has no block. Blocks that one rendering alone shows
// are so because what was printed stays as it was.

/// Name, headline, the three facts (how much, how sure, what is allowed), what makes them worth
/// less, tiles.
Section gate_answer_section(const GateRecord& record);
/// The headline alone: the last line of a terminal.
Section gate_headline_section(const GateRecord& record);
/// What weakens the answer.
Section gate_doubts_section(const GateRecord& record);
/// Rules that fired, with the numbers of their conditions.
/// What somebody may do about rows that improved, so that they stay so; never a demand.
Section gate_offers_section(const GateRecord& record);
/// What a build printed that failed.
Section gate_build_section(const GateRecord& record);
/// A row each metric, with reason, noise and what can be detected.
Section gate_rows_section(const GateRecord& record);
/// Counts of one step.
Section gate_counts_section(const GateRecord& record);
/// The second comparison, with something older.
Section gate_anchor_section(const GateRecord& record);
/// The difference of each pair, drawn and in numbers; pairs that were lost.
Section gate_pairs_section(const GateRecord& record);
/// What each look said and spent.
Section gate_looks_section(const GateRecord& record);
/// Processes that did not complete.
Section gate_failures_section(const GateRecord& record);
/// What was compared: commit, settings and files of both sides.
Section gate_sides_section(const GateRecord& record);
/// What the machine did meanwhile, and what it is.
Section gate_machine_section(const GateRecord& record);
/// What the machine is, in one line.
Section gate_environment_section(const GateRecord& record);
/// What can be detected on this machine.
Section gate_noise_section(const GateRecord& record);
/// Verdicts of earlier gates of the scenario.
Section gate_history_section(const GateRecord& record);
/// "12 steps, found by measuring, the same on both sides".
std::string warmup_words(const GateRecord& record);
Section gate_method_section(const GateRecord& record);
Section gate_again_section(const GateRecord& record);

}  // namespace tune::report
