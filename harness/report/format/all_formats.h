#pragma once

#include "report/format/formats.h"

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tune::report {

/// A format for other programs.
struct OutsideFormat {
  std::string_view name;  ///< of --files
  std::string_view file;  ///< its name in a run directory
  std::string (*render)(const result::Result& result, const FormatOptions& options);
};

/// All of them, in the order of `tune help formats`.
std::span<const OutsideFormat> all_formats();

/// Null when there is none of this name.
const OutsideFormat* find_format(std::string_view name);

/// Writes these formats into the directory, each in one step, and says where. The names must be
/// known. Throws tune::Error when one cannot be written.
std::vector<std::filesystem::path> write_formats(const std::vector<std::string>& names,
                                                 const result::Result& result,
                                                 const FormatOptions& options,
                                                 const std::filesystem::path& directory);

}  // namespace tune::report
