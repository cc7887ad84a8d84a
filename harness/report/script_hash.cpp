#include "report/script_hash.h"

#include "base/sha256.h"

#include <cstddef>
#include <cstdint>

namespace tune::report {

namespace {

constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::uint32_t hexadecimal(char digit) {
  return static_cast<std::uint32_t>(digit <= '9' ? digit - '0' : digit - 'a' + 10);
}

std::string bytes_of(const std::string& hex) {
  std::string bytes;
  bytes.reserve(hex.size() / 2);
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes += static_cast<char>(hexadecimal(hex[i]) * 16 + hexadecimal(hex[i + 1]));
  }
  return bytes;
}

// RFC 4648, with padding.
std::string base64(const std::string& bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto byte = [&](std::size_t at) {
      return at < bytes.size() ? static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at]))
                               : 0U;
    };
    const std::uint32_t three = byte(i) << 16U | byte(i + 1) << 8U | byte(i + 2);
    text += kDigits[three >> 18U & 63U];
    text += kDigits[three >> 12U & 63U];
    text += i + 1 < bytes.size() ? kDigits[three >> 6U & 63U] : '=';
    text += i + 2 < bytes.size() ? kDigits[three & 63U] : '=';
  }
  return text;
}

}  // namespace

std::string script_hash(std::string_view script) {
  return base64(bytes_of(sha256_hex(script)));
}

}  // namespace tune::report
