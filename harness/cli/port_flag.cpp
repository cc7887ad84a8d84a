#include "cli/port_flag.h"

#include "base/error.h"

#include <charconv>
#include <iostream>
#include <system_error>

namespace tune::cli {

int port_of(const std::string& flag) {
  constexpr int kLastPort = 65535;
  if (flag.empty()) {
    return 0;
  }
  int port = -1;
  const char* const end = flag.data() + flag.size();
  const std::from_chars_result read = std::from_chars(flag.data(), end, port);
  if (read.ec != std::errc() || read.ptr != end || port < 0 || port > kLastPort) {
    throw Error(Error::Parts{
        "--port " + flag, "is no port", "1 to 65535; 0 is any that is free", "--port 8080"});
  }
  return port;
}

ExitCode refuse_port(int port, const std::string& why) {
  const std::string which = port == 0 ? "" : ":" + std::to_string(port);
  std::cerr << to_sentence({"127.0.0.1" + which,
                            "cannot be listened on",
                            why,
                            port == 0 ? "" : "end what listens there, or leave --port away"})
            << '\n';
  return ExitCode::not_available;
}

}  // namespace tune::cli
