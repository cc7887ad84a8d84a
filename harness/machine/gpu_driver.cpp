#include "machine/gpu_driver.h"

#include "base/whole_number.h"
#include "machine/text_file.h"

#include <algorithm>
#include <initializer_list>
#include <numeric>
#include <system_error>

namespace tune::machine {

namespace {

namespace fs = std::filesystem;

bool is_version(std::string_view word) {
  return word.find('.') != std::string_view::npos &&
         word.find_first_not_of("0123456789.") == std::string_view::npos;
}

}  // namespace

bool shows_driver(const fs::path& root) {
  std::error_code ignored;
  for (const char* const sign :
       {"proc/driver/nvidia/version", "dev/nvidiactl", "usr/lib/wsl/lib/libcuda.so.1"}) {
    if (fs::exists(root / sign, ignored)) {
      return true;
    }
  }
  return false;
}

// "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.65.06  Release Build ..."
std::string driver_version(const fs::path& root) {
  const std::string text = read_text(root / "proc/driver/nvidia/version");
  std::string_view line = std::string_view(text).substr(0, text.find('\n'));
  while (!line.empty()) {
    const std::string_view word = line.substr(0, line.find_first_of(" \t"));
    if (is_version(word)) {
      return std::string(word);
    }
    line.remove_prefix(std::min(line.size(), word.size() + 1));
  }
  return "";
}

std::optional<std::int64_t> driver_release(std::string_view version) {
  return parse_whole<std::int64_t>(version.substr(0, version.find('.')));
}

std::string driver_folders(std::string_view library_path) {
  std::string folders;
  while (!library_path.empty()) {
    const std::size_t end = std::min(library_path.find_first_of(":;"), library_path.size());
    const std::string folder(library_path.substr(0, end));
    library_path.remove_prefix(std::min(library_path.size(), end + 1));
    std::error_code ignored;
    if (folder.starts_with('/') && fs::exists(fs::path(folder) / "libcuda.so.1", ignored)) {
      folders += (folders.empty() ? "" : ":") + folder;
    }
  }
  return folders;
}

namespace {

std::optional<std::size_t> gpu_named(std::string_view word, const std::vector<std::string>& uuids) {
  if (const auto number = to_number(word)) {
    const auto index = static_cast<std::size_t>(*number);
    return index < uuids.size() ? std::optional(index) : std::nullopt;
  }
  constexpr std::string_view kPrefix = "GPU-";
  const auto begins = [&](const std::string& uuid) { return uuid.starts_with(word); };
  if (!word.starts_with(kPrefix) || std::count_if(uuids.begin(), uuids.end(), begins) != 1) {
    return std::nullopt;
  }
  return static_cast<std::size_t>(std::find_if(uuids.begin(), uuids.end(), begins) - uuids.begin());
}

}  // namespace

std::string gpu_uuid_text(const std::array<std::uint8_t, 16>& bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text = "GPU";
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i == 0 || i == 4 || i == 6 || i == 8 || i == 10) {
      text += '-';
    }
    text += kDigits[bytes[i] >> 4];
    text += kDigits[bytes[i] & 15];
  }
  return text;
}

std::vector<std::size_t> visible_gpus(const std::optional<std::string>& variable,
                                      const std::vector<std::string>& uuids) {
  if (!variable) {
    std::vector<std::size_t> all(uuids.size());
    std::iota(all.begin(), all.end(), 0);
    return all;
  }
  std::vector<std::size_t> seen;
  std::string_view rest = *variable;
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const auto gpu = gpu_named(trimmed(rest.substr(0, comma)), uuids);
    if (!gpu) {
      break;
    }
    if (std::find(seen.begin(), seen.end(), *gpu) != seen.end()) {
      return {};
    }
    seen.push_back(*gpu);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return seen;
}

}  // namespace tune::machine
