#include "cli/browser.h"

#include "cli/flag_or_environment.h"
#include "runner/run_program.h"

#include <cstdlib>

namespace tune::cli {

namespace {

bool has_display() {
  return is_set("DISPLAY") || is_set("WAYLAND_DISPLAY") || is_set("BROWSER");
}

}  // namespace

std::string open_in_browser(const std::string& address) {
  return has_display() ? runner::start_detached("xdg-open", address) : "no display";
}

}  // namespace tune::cli
