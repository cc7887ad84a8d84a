#pragma once

#include "result/result.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

namespace tune::cli {

// A gate, an analysis or a calibration has only the files that it wrote: no ledger
// tells of it. `path` is its directory, or its result.json.

/// Whether a plain file is there, or a link to one; not where that cannot be looked at.
bool is_file(const std::filesystem::path& path);

/// `path` where that is a file, else its result.json.
std::filesystem::path stored_result_file(const std::filesystem::path& path);

/// What a gate or an analysis found is in its result.json alone, and so does what a run found
/// of which nothing else is left; nothing where there is a run's ledger, which is the truth, and
/// where there is no such file. Throws tune::Error for one that is damaged where no ledger tells.
std::optional<result::Result> kept_result(const std::filesystem::path& path);

/// A directory with reports and without a ledger: of a gate whose build failed, or copied.
bool has_reports_alone(const std::filesystem::path& directory);

/// What a gate or the like is in one of our own formats: json as it is stored. The others of a gate
/// are made again of it, Markdown of at most `most_bytes`; those of an analysis as they lie beside
/// it, refused where its Markdown has more than that. `kept` is kept_result() of `path`: of no run,
/// and nothing only where has_reports_alone(). Throws tune::Error where there is no such report.
std::string kept_report(const std::filesystem::path& path,
                        const std::optional<result::Result>& kept,
                        const std::string& format,
                        std::size_t most_bytes);

}  // namespace tune::cli
