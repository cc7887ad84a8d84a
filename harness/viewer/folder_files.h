#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace tune::viewer {

/// The files of a folder and of the folders in it by the names under which a browser may have them:
/// "report.html", "trials/r1-c07/reply.json". Regular files alone: links, which may lead out of the
/// folder, and what begins with a dot are left out. What cannot be looked at is not there.
std::map<std::string, std::filesystem::path> files_to_serve(const std::filesystem::path& folder);

/// The media type that a file's name stands for; bytes where it stands for none.
std::string media_type(const std::string& name);

}  // namespace tune::viewer
