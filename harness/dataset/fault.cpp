#include "dataset/fault.h"

#include "base/assert.h"
#include "dataset/draws.h"

#include <array>

namespace tune::dataset {

namespace {

struct Named {
  Fault fault;
  std::string_view text;
};

constexpr std::array kNames = {Named{Fault::none, "-"},
                               Named{Fault::truncated_10, "truncated-10"},
                               Named{Fault::truncated_50, "truncated-50"},
                               Named{Fault::truncated_99, "truncated-99"},
                               Named{Fault::empty, "empty"},
                               Named{Fault::random_bytes, "random-bytes"},
                               Named{Fault::png, "png"},
                               Named{Fault::huge_header, "huge-header"},
                               Named{Fault::unreadable, "unreadable"},
                               Named{Fault::cmyk, "cmyk"},
                               Named{Fault::grey, "grey"},
                               Named{Fault::progressive, "progressive"},
                               Named{Fault::exif_rotated, "exif-rotated"}};

constexpr std::int64_t kPeriod = 64;
constexpr std::array kPlaces = {Fault::truncated_50,
                                Fault::grey,
                                Fault::empty,
                                Fault::progressive,
                                Fault::random_bytes,
                                Fault::cmyk,
                                Fault::truncated_10,
                                Fault::png,
                                Fault::exif_rotated,
                                Fault::huge_header,
                                Fault::progressive,  // 3 % of all, as on the web
                                Fault::truncated_99,
                                Fault::unreadable};

// One red pixel.
constexpr std::string_view kPng(
    "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x08\2\0\0\0\x90wS\xde\0\0\0\x0cIDATx\x9c"
    "c\xf8\xcf\xc0\0\0\3\1\1\0\xc9\xfe\x92\xef\0\0\0\0IEND\xae"
    "B`\x82",
    69);

std::string random_bytes(std::size_t size, std::uint64_t key) {
  Draws draws(key);
  std::string bytes(size, '\0');
  for (char& byte : bytes) {
    byte = static_cast<char>(draws.bits() & 0xFF);
  }
  return bytes;
}

/// Overwrites height and width in the start-of-frame segment.
std::string with_size(std::string jpeg, int side) {
  std::size_t at = 2;  // after the start-of-image marker
  const auto byte = [&jpeg](std::size_t i) { return static_cast<unsigned char>(jpeg.at(i)); };
  while (byte(at + 1) != 0xC0) {
    TUNE_ASSERT(byte(at) == 0xFF);
    at += 2 + static_cast<std::size_t>(byte(at + 2) * 256 + byte(at + 3));
  }
  for (const std::size_t field : {at + 5, at + 7}) {
    jpeg[field] = static_cast<char>(side >> 8);
    jpeg[field + 1] = static_cast<char>(side & 0xFF);
  }
  return jpeg;
}

}  // namespace

std::string_view to_text(Fault fault) {
  for (const Named& named : kNames) {
    if (named.fault == fault) {
      return named.text;
    }
  }
  return "?";
}

std::optional<Fault> parse_fault(std::string_view text) {
  for (const Named& named : kNames) {
    if (named.text == text) {
      return named.fault;
    }
  }
  return std::nullopt;
}

Fault fault_of(std::int64_t index) {
  const auto place = static_cast<std::size_t>(index % kPeriod);
  return place % 4 == 3 && place / 4 < kPlaces.size() ? kPlaces.at(place / 4) : Fault::none;
}

bool is_broken(Fault fault) {
  switch (fault) {
    case Fault::truncated_10:
    case Fault::truncated_50:
    case Fault::truncated_99:
    case Fault::empty:
    case Fault::random_bytes:
    case Fault::png:
    case Fault::huge_header:
    case Fault::unreadable:
      return true;
    case Fault::none:
    case Fault::cmyk:
    case Fault::grey:
    case Fault::progressive:
    case Fault::exif_rotated:
      return false;
  }
  return false;
}

std::string damage(std::string jpeg, Fault fault, std::uint64_t key) {
  constexpr int kHugeSide = 20'000;
  switch (fault) {
    case Fault::truncated_10:
      return jpeg.substr(0, jpeg.size() / 10);
    case Fault::truncated_50:
      return jpeg.substr(0, jpeg.size() / 2);
    case Fault::truncated_99:
      return jpeg.substr(0, jpeg.size() * 99 / 100);
    case Fault::empty:
      return "";
    case Fault::random_bytes:
      return random_bytes(jpeg.size(), key);
    case Fault::png:
      return std::string(kPng);
    case Fault::huge_header:
      return with_size(std::move(jpeg), kHugeSide);
    case Fault::none:
    case Fault::unreadable:
    case Fault::cmyk:
    case Fault::grey:
    case Fault::progressive:
    case Fault::exif_rotated:
      return jpeg;
  }
  return jpeg;
}

}  // namespace tune::dataset
