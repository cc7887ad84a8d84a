#pragma once

#include "report/gate_record.h"
#include "report/render_blocks.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace tune::gate {
struct GateResult;
}

namespace tune::report {

// The reports of a gate, each from its result.json alone: of one that just ended as of one that is
// stored. The same record always gives the same bytes.

/// A comment on a change: at most 60 kB, begins with a marker by which a robot finds its own
/// comment and replaces it.
inline constexpr std::size_t kCommentLimitBytes = 60'000;

/// Above the limit, which is at least 2,000 bytes, details go first, then the end.
std::string to_gate_markdown(const GateRecord& record,
                             std::size_t limit_bytes = kCommentLimitBytes);

/// How the Markdown of every gate of a scenario begins, whatever became of it: marker and title.
std::string gate_page_head(const std::string& scenario);

/// report.html: a page as that of a run (html.h).
std::string to_gate_html(const GateRecord& record);

/// Files and commands that a terminal names; "": none.
struct GatePlaces {
  std::string report, next;
};

/// What `tune gate` prints at its end: sides, rows, those of the anchor, what weakens them, where
/// the files are, and last of all the verdict.
std::string to_gate_answer(const GateRecord& record,
                           const GatePlaces& places,
                           const Painter& painter);

/// The same of a stored one, as `tune report --format text` has it.
std::string to_gate_text(const GateRecord& record, const GatePlaces& places);

/// What the reports of a gate that just ended are made of: its result.json, read.
GateRecord to_gate_record(const gate::GateResult& result);

/// Writes result.json, report.html, report.md and junit.xml into the gate's directory, each in one
/// step, and says where. Throws tune::Error when one cannot be written.
std::vector<std::filesystem::path> write_gate_reports(const gate::GateResult& result);

}  // namespace tune::report
