#pragma once

#include "history/series.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace tune {
class Fields;
}

namespace tune::history {

/// What a run directory keeps of the history as it was when the run ended, so that its report can
/// be made again anywhere, and says the same: <run directory>/history.json, schema
/// "tune-series/1".
constexpr std::string_view kSeriesSchema = "tune-series/1";

std::filesystem::path kept_series_file(const std::filesystem::path& run_directory);

void fields_of(Fields& fields, Series& series);
std::string to_json(const Series& series);

/// Throws tune::Error "<where>: ..." when it is damaged or of another schema.
Series parse_series(std::string_view text, const std::string& where);

/// Nothing where there is none. One that cannot be read costs the drawing only: nothing, and
/// `problem` says why.
std::optional<Series> load_kept_series(const std::filesystem::path& run_directory,
                                       std::string& problem);

}  // namespace tune::history
