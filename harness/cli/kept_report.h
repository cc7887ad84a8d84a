#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

namespace tune::cli {

// Of a gate, an analysis or a calibration the files that it wrote are what there is: no ledger
// tells of it. `path` is its directory, or its result.json.

/// A directory with reports and without a ledger: of a gate whose build failed, or copied.
bool has_reports_alone(const std::filesystem::path& directory);

/// What a gate or the like is in one of our own formats: json as it is stored; md and html as they
/// lie beside it, but the page of a gate is made again; text, of a gate, is what it printed. A page
/// of Markdown of more than `most_bytes` is refused. Nothing where `path` is of a run. Throws
/// tune::Error where there is no such report.
std::optional<std::string> kept_report(const std::filesystem::path& path,
                                       const std::string& format,
                                       std::size_t most_bytes);

}  // namespace tune::cli
