#include "cli/show_report.h"

#include "base/error.h"
#include "cli/answer.h"
#include "cli/flags.h"
#include "cli/interruption.h"
#include "measure/runner/run_program.h"
#include "report/viewer/answers.h"
#include "report/viewer/page_server.h"

#include <CLI/App.hpp>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <system_error>
#include <thread>

namespace tune::cli {

namespace {

bool has_display() {
  return is_set("DISPLAY") || is_set("WAYLAND_DISPLAY") || is_set("BROWSER");
}

}  // namespace

std::string open_in_browser(const std::string& address) {
  return has_display() ? runner::start_detached("xdg-open", address) : "no display";
}

namespace fs = std::filesystem;

namespace {

// The address is the result; how to get there are messages.
void bring_there(const viewer::PageServer& server, const ShowWish& wish) {
  std::cout << server.address() << '\n' << std::flush;
  const std::string why = wish.open ? open_in_browser(server.address()) : "";
  if (wish.quiet) {
    return;
  }
  if (!why.empty()) {
    std::cerr << "no browser was opened (" << why << ")\n";
  }
  std::cerr << "for this machine alone; elsewhere open it after  ssh -L " << server.port()
            << ":127.0.0.1:" << server.port() << " <this machine>\nCtrl-C ends it\n";
}

}  // namespace

void add_show_flags(CLI::App& command, ShowWish& wish) {
  command.add_flag(
      "--open", wish.open, "Opens report.html, or what --serve serves, in the browser");
  command.add_flag("--serve",
                   wish.serve,
                   "Serves the report and the files of the run on 127.0.0.1, read-only, until "
                   "Ctrl-C; writes nothing");
  command.add_option("--port", wish.port, "Of --serve, default any that is free")->type_name("N");
}

void check_show_wish(const ShowWish& wish, const std::string& format) {
  if (wish.wanted() && !format.empty()) {
    throw Error(Error::Parts{wish.serve ? "--serve" : "--open",
                             "does not go with --format",
                             "it shows report.html",
                             "without --format"});
  }
  if (!wish.port.empty() && !wish.serve) {
    throw Error(Error::Parts{
        "--port " + wish.port, "says nothing without --serve", "nothing else listens", "--serve"});
  }
  port_of(wish.port);
}

void open_report(const fs::path& file, const ShowWish& wish) {
  std::error_code failed;
  const fs::path whole = fs::absolute(file, failed);
  const std::string why = open_in_browser(failed ? file.string() : whole.string());
  if (!why.empty() && !wish.quiet) {
    std::cerr << "no browser was opened (" << why << "): open " << typed_path(file)
              << ", or serve it with --serve\n";
  }
}

ExitCode serve_report(const fs::path& directory,
                      const std::map<std::string, std::string>& pages,
                      const ShowWish& wish) {
  constexpr auto kLook = std::chrono::milliseconds(50);  // signals wake nobody
  const Interruption interruption;
  viewer::PageServer server({});
  for (const auto& [name, file] : viewer::files_to_serve(directory)) {
    server.put_file(name, file);
  }
  for (const auto& [name, text] : pages) {
    server.put(name, text);
  }
  const int port = port_of(wish.port);
  std::string why;
  if (!server.start(port, why)) {
    return refuse_port(port, why);
  }
  bring_there(server, wish);
  while (!interruption.asked()) {
    std::this_thread::sleep_for(kLook);
  }
  return interruption.exit_code();
}

}  // namespace tune::cli
