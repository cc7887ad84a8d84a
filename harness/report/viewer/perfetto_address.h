#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tune::viewer {

/// The only port of this machine from which ui.perfetto.dev may fetch: its content policy says so
/// (ui/src/frontend/index.ts of google/perfetto).
constexpr int kPerfettoPort = 9001;

constexpr const char* kPerfetto = "https://ui.perfetto.dev";

/// Where a Perfetto UI is: an address that begins with http:// or https://, without its last
/// slashes. Nothing when it is none, or holds characters that have no place in a header or a shell.
std::optional<std::string> viewer_address(std::string_view text);

/// The part of the address that a browser sends as Origin: "https://ui.perfetto.dev".
std::string origin_of(std::string_view viewer);

/// The part of a trace that a page shows at first, on the trace's own clock: ts of its rows, in ns.
struct VisibleRange {
  std::int64_t begin_ns = 0, end_ns = 0;
};

/// The page that fetches the file from this machine by itself:
/// "https://ui.perfetto.dev/#!/?url=http://127.0.0.1:9001/trace.json.gz", and with a range behind
/// it
/// "&visStart=1500&visEnd=2500".
std::string page_address(const std::string& viewer,
                         int port,
                         const std::string& name,
                         const std::optional<VisibleRange>& visible = std::nullopt);

/// The last part of a path as an address can hold it: letters, digits, ".", "_" and
/// "-" stay, all else becomes "_". Perfetto shows it, and tells formats by their content.
std::string address_name(std::string_view file_name);

}  // namespace tune::viewer
