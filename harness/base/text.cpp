#include "base/text.h"

#include "base/sha256.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>

namespace tune {

namespace {

bool is_obeyed(char32_t code) {
  const bool is_control =
      (code < 0x20 && code != '\t' && code != '\n') || (code >= 0x7F && code <= 0x9F);
  const bool is_none = code == 0xFFFE || code == 0xFFFF;  // not characters, and not allowed in XML
  const bool ends_line = code == 0x2028 || code == 0x2029;
  const bool turns_text = code == 0x061C || code == 0x200E || code == 0x200F ||
                          (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
  return is_control || is_none || ends_line || turns_text;
}

}  // namespace

Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const Character stray{.bytes = 1, .code = byte(0)};
  const unsigned char first = byte(0);
  const std::size_t length = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  const bool begins_none = first >= 0x80 && (first < 0xC2 || first > 0xF4);
  if (begins_none || text.size() < length) {
    return stray;
  }
  char32_t code = length == 1 ? first : first & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) {
      return stray;
    }
    code = code << 6U | (byte(i) & 0x3FU);
  }
  constexpr std::array<char32_t, 5> kSmallest = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < kSmallest[length] || code > 0x10FFFF || is_surrogate) {
    return stray;
  }
  return {.bytes = length, .code = code, .is_whole = true, .is_shown = !is_obeyed(code)};
}

std::string printable(std::string_view text, std::string_view replacement) {
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) {
    const Character character = first_character(text);
    shown += character.is_shown ? text.substr(0, character.bytes) : replacement;
    text.remove_prefix(character.bytes);
  }
  return shown;
}

std::string printable(std::string_view text) {
  std::string lines;
  lines.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i, 2) != "\r\n") {
      lines += text[i];
    }
  }
  return printable(lines, "\xEF\xBF\xBD");
}

std::string one_line(std::string_view text) {
  std::string clean = printable(text);
  std::replace_if(
      clean.begin(), clean.end(), [](char c) { return c == '\n' || c == '\t'; }, ' ');
  return clean;
}

std::string shortened(std::string_view text, std::size_t limit) {
  std::string kept;
  // A character has at most 4 bytes; no need to look at more of a long text.
  const std::string clean = one_line(text.substr(0, 4 * (limit + 1)));
  std::string_view rest = clean;
  for (std::size_t characters = 0; !rest.empty(); ++characters) {
    if (characters == limit) {
      return kept + "...";
    }
    const std::size_t length = first_character(rest).bytes;
    kept += rest.substr(0, length);
    rest.remove_prefix(length);
  }
  return kept;
}

std::string shortened_distinctly(const std::string& text, std::size_t limit) {
  constexpr std::size_t kHashDigits = 10;
  std::string line = one_line(text);
  if (shortened(line, limit) == line) {
    return line;
  }
  return shortened(line, limit - kHashDigits - 4) + " " + sha256_hex(line).substr(0, kHashDigits);
}

std::string cleaned(std::string_view text) {
  constexpr std::size_t kLongest = 9'997;  // and three dots
  return shortened(text, kLongest);
}

std::string escape_of(const Character& character) {
  std::array<char, 16> text{};
  std::snprintf(text.data(),
                text.size(),
                character.is_whole ? "\\u%04x" : "\\x%02x",
                static_cast<unsigned>(character.code));
  return text.data();
}

std::string escaped(std::string_view text) {
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) {
    const Character character = first_character(text);
    if (character.is_shown) {
      shown += text.substr(0, character.bytes);
    } else {
      shown += escape_of(character);
    }
    text.remove_prefix(character.bytes);
  }
  return shown;
}

std::string within_a_line(std::string_view text) {
  std::string line;
  for (const char letter : escaped(text)) {
    if (letter == '\n' || letter == '\t') {
      line += letter == '\n' ? "\\n" : "\\t";
    } else {
      line += letter;
    }
  }
  return line;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t end = text.find(separator); end != std::string_view::npos;
       end = text.find(separator, begin)) {
    parts.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  parts.emplace_back(text.substr(begin));
  return parts;
}

std::string joined(const std::vector<std::string>& words, std::string_view separator) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) {
      text += separator;
    }
    text += word;
  }
  return text;
}

namespace {

// Edits between two words: insert, delete, replace, swap neighbours (optimal string alignment).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        cost[i][j] = i + j;
        continue;
      }
      const std::size_t replaced = cost[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
      }
    }
  }
  return cost[a.size()][b.size()];
}

}  // namespace

std::string did_you_mean(std::string_view written, const std::vector<std::string>& candidates) {
  constexpr std::size_t kLongestWord = 64;  // nobody mistypes a longer one; keeps the table small
  std::string nearest;
  if (written.size() > kLongestWord) {
    return nearest;
  }
  std::size_t least = std::max<std::size_t>(1, written.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    // An abbreviated or prefixed word ("workers" for "num_workers") counts as near, too.
    const bool contains = written.size() >= 4 && candidate.find(written) != std::string::npos;
    const std::size_t distance = contains ? 1 : edit_distance(written, candidate);
    const bool is_shorter = distance == least && candidate.size() < nearest.size();
    if (candidate.size() <= kLongestWord && (distance < least || is_shorter)) {
      least = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

std::string signal_name(int signal) {
  const char* const name = sigabbrev_np(signal);
  return name != nullptr ? std::string("SIG") + name : "signal " + std::to_string(signal);
}

}  // namespace tune
