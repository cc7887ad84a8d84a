#pragma once

#include "base/error.h"

#include <filesystem>
#include <map>
#include <string>

namespace CLI {
class App;
}

namespace tune::cli {

/// Opens an address, or a file, in the user's browser and does not wait for it. Why it could not,
/// such as "no display"; "" when it could.
std::string open_in_browser(const std::string& address);

/// How a report is to be seen, besides the files that are written.
struct ShowWish {
  bool open = false;   ///< --open: in the user's browser
  bool serve = false;  ///< --serve: from a port of this machine
  std::string port;    ///< --port of --serve, or ""
  bool quiet = false;

  bool wanted() const { return open || serve; }
};

/// Adds --open, --serve and --port; `wish` outlives the command.
void add_show_flags(CLI::App& command, ShowWish& wish);

/// Throws tune::Error for flags that do not go together; `format` is what --format says.
void check_show_wish(const ShowWish& wish, const std::string& format);

/// Opens a report in the user's browser, or says on standard error why not and where it is.
void open_report(const std::filesystem::path& file, const ShowWish& wish);

/// Serves a run directory with its report at the address, which is printed, until a signal: its
/// files as they are, and in place of some `pages` that are ready. Returns what the signal means,
/// or "not available" where the port is taken. Nothing in the directory changes.
ExitCode serve_report(const std::filesystem::path& directory,
                      const std::map<std::string, std::string>& pages,
                      const ShowWish& wish);

}  // namespace tune::cli
