#pragma once

#include "viewer/perfetto_address.h"
#include "viewer/trace_server.h"

#include <atomic>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace tune::viewer {

/// How a trace is shown.
struct ShowSettings {
  std::string viewer = kPerfetto;  ///< viewer_address()
  int port = kPerfettoPort;        ///< 0: any that is free
  TraceServer::Patience patience;
  std::optional<VisibleRange> visible;  ///< nothing: all of it
};

struct Shown {
  Ending ending = Ending::no_port;
  std::string trouble;  ///< why there is no port, or what kept a transfer from its end; "" of none
};

/// What brings the user to the page; `port` is the one on this machine.
using Open = std::function<void(const std::string& address, int port)>;

/// Serves the file to the viewer until wait() (trace_server.h) ends. `open` is called once
/// the server answers. Throws tune::Error when the file cannot be read.
Shown serve_trace(const std::filesystem::path& file,
                  const ShowSettings& settings,
                  const Open& open,
                  const std::atomic<int>& stop);

}  // namespace tune::viewer
