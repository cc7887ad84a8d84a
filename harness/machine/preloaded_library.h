#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace tune::machine {

/// What LD_PRELOAD is to hold for `word`: the file of jemalloc, tcmalloc or iomp5 below `root`,
/// where Debian installs it; any other word is returned as it is, such as a path. Of a list,
/// "jemalloc:iomp5", each.
///
/// @throws Error, with the Debian package to install, where the library is missing.
std::string preloaded_library(std::string_view word, const std::filesystem::path& root = "/");

/// The variables of a trial with LD_PRELOAD's word, if there is one, as preloaded_library() has it.
std::map<std::string, std::string> with_preloaded_library(
    std::map<std::string, std::string> variables);

}  // namespace tune::machine
