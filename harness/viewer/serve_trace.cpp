#include "viewer/serve_trace.h"

namespace tune::viewer {

Shown serve_trace(const std::filesystem::path& file,
                  const ShowSettings& settings,
                  const Open& open,
                  const std::atomic<int>& stop) {
  TraceServer server(look_at_file(file), origin_of(settings.viewer));
  Shown shown;
  if (!server.start(settings.port, shown.trouble)) {
    return shown;
  }
  open(page_address(settings.viewer, server.port(), server.name(), settings.visible),
       server.port());
  shown.ending = server.wait(stop, settings.patience);
  shown.trouble = server.trouble();
  return shown;
}

}  // namespace tune::viewer
