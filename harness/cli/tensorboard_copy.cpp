#include "cli/tensorboard_copy.h"

#include "base/error.h"
#include "cli/analyze_request.h"
#include "profile/reader/byte_source.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>
#include <string_view>

namespace tune::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnding = ".pt.trace.json";

// "<worker>.<digits>.pt.trace.json", with or without .gz.
bool is_tensorboard_name(std::string_view name) {
  if (name.ends_with(".gz")) {
    name.remove_suffix(3);
  }
  if (!name.ends_with(kEnding)) {
    return false;
  }
  name.remove_suffix(kEnding.size());
  const std::size_t dot = name.rfind('.');
  const std::string_view digits = dot == std::string_view::npos ? "" : name.substr(dot + 1);
  return dot > 0 && !digits.empty() && std::all_of(digits.begin(), digits.end(), [](char c) {
           return std::isdigit(static_cast<unsigned char>(c)) != 0;
         });
}

// A packed file keeps its bytes.
std::unique_ptr<profile::ByteSource> bytes_of(const profile::Timeline& timeline) {
  return timeline.cost.compression == "zstd" ? profile::open_trace_text(timeline.file)
                                             : profile::open_file(timeline.file);
}

void copy_bytes(profile::ByteSource& source, const fs::path& target) {
  std::ofstream file(target, std::ios::binary);
  std::array<char, 1 << 16> block{};
  for (std::size_t size = 0; file && (size = source.read(block.data(), block.size())) > 0;) {
    file.write(block.data(), static_cast<std::streamsize>(size));
  }
  file.close();
  if (!file) {
    const std::string why = std::strerror(errno);
    std::error_code ignored;
    fs::remove(target, ignored);
    throw Error(Error::Parts{target.string(), "cannot be written", why, ""});
  }
}

}  // namespace

std::string tensorboard_name(const profile::Timeline& timeline) {
  std::string name = fs::path(timeline.file).filename().string();
  const bool is_gzip = timeline.cost.compression == "gzip";
  if (is_tensorboard_name(name) && name.ends_with(".gz") == is_gzip) {
    return name;
  }
  std::string worker = stem_of(name);
  std::replace(worker.begin(), worker.end(), '.', '_');
  const std::int64_t first_ns = timeline.events.empty() ? 0 : timeline.events.front().start_ns;
  const std::int64_t begin_ns = std::max<std::int64_t>(0, timeline.base_time_ns + first_ns);
  std::string copy = worker + "." + std::to_string(begin_ns);
  copy += kEnding;
  copy += is_gzip ? ".gz" : "";
  return copy;
}

fs::path copy_for_tensorboard(const profile::Timeline& timeline, const fs::path& directory) {
  std::error_code failed;
  fs::create_directories(directory, failed);
  if (failed) {
    throw Error(Error::Parts{directory.string(), "cannot be made", failed.message(), ""});
  }
  fs::path target = directory / tensorboard_name(timeline);
  if (fs::exists(target, failed)) {
    throw Error(
        Error::Parts{target.string(), "exists already", "it is not replaced", "another folder"});
  }
  fs::path part = target;  // TensorBoard must not see half a file
  part += ".part";
  copy_bytes(*bytes_of(timeline), part);
  fs::rename(part, target, failed);
  if (failed) {
    throw Error(Error::Parts{target.string(), "cannot be written", failed.message(), ""});
  }
  return target;
}

}  // namespace tune::cli
