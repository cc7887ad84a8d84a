#include "worker/data/image_format.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace tune::worker {

namespace {

// Cameras append a little after the end; more than this is looked at by a whole decode.
constexpr std::size_t kTail = 4096;

struct Magic {
  std::string_view name, bytes;
};

constexpr std::array<Magic, 7> kOthers = {{{"a PNG", "\x89PNG"},
                                           {"a GIF", "GIF8"},
                                           {"a WebP", "RIFF"},
                                           {"a BMP", "BM"},
                                           {"a TIFF", {"II*\0", 4}},
                                           {"a TIFF", {"MM\0*", 4}},
                                           {"a JPEG 2000", {"\0\0\0\x0cjP", 6}}}};

bool starts_with(std::span<const std::uint8_t> file, std::string_view bytes) {
  return file.size() >= bytes.size() &&
         std::equal(bytes.begin(), bytes.end(), file.begin(), [](char a, std::uint8_t b) {
           return static_cast<std::uint8_t>(a) == b;
         });
}

std::string in_hex(std::span<const std::uint8_t> bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : bytes) {
    text += text.empty() ? "" : " ";
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

}  // namespace

std::string complaint_about_format(std::span<const std::uint8_t> file) {
  if (starts_with(file, "\xff\xd8\xff")) {
    return "";
  }
  for (const Magic& other : kOthers) {
    if (starts_with(file, other.bytes)) {
      return "is " + std::string(other.name);
    }
  }
  return "is no JPEG (begins with " + in_hex(file.first(std::min<std::size_t>(4, file.size()))) +
         ")";
}

bool ends_with_marker(std::span<const std::uint8_t> file) {
  const auto tail = file.last(std::min(kTail, file.size()));
  constexpr std::array<std::uint8_t, 2> kEndOfImage = {0xff, 0xd9};
  return std::search(tail.begin(), tail.end(), kEndOfImage.begin(), kEndOfImage.end()) !=
         tail.end();
}

}  // namespace tune::worker
