#include "viewer/served_file.h"

#include "base/error.h"
#include "profile/reader/byte_source.h"
#include "viewer/perfetto_address.h"

#include <string_view>
#include <system_error>

namespace tune::viewer {

ServedFile look_at_file(const std::filesystem::path& path) {
  constexpr std::string_view kZstdEnding = ".zst";
  const auto text = profile::open_trace_text(path);
  char first = 0;
  if (text->read(&first, 1) == 0) {
    throw Error(Error::Parts{
        path.string(),
        "holds nothing to show",
        text->damage().empty() ? "it is empty" : text->damage(),
        "a file of torch.profiler's export_chrome_trace or tensorboard_trace_handler"});
  }
  ServedFile file{.path = path};
  file.is_unpacked = text->compression() == "zstd";
  std::string name = path.filename().string();
  if (file.is_unpacked && name.ends_with(kZstdEnding)) {
    name.resize(name.size() - kZstdEnding.size());
  }
  file.name = address_name(name);
  std::error_code failed;
  file.bytes = static_cast<std::int64_t>(std::filesystem::file_size(path, failed));
  if (failed) {
    throw Error(Error::Parts{path.string(), "cannot be read", failed.message(), ""});
  }
  return file;
}

}  // namespace tune::viewer
