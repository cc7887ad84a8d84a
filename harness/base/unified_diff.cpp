#include "base/unified_diff.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tune {

namespace {

using Lines = std::vector<std::string_view>;

constexpr std::size_t kContext = 3;
// Beyond this the middle is shown as replaced: the table below would be too large.
constexpr std::size_t kMostCompared = 2000;

// Each with its line end.
Lines lines_of(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

/// A line of the diff: ' ', '-' or '+' before it.
struct Row {
  char sign = ' ';
  std::string_view line;
};

// For two lists without a common beginning or end: the longest common subsequence stays.
void add_middle(const Lines& before, const Lines& after, std::vector<Row>& rows) {
  const std::size_t wide = after.size() + 1;
  const bool is_compared = before.size() <= kMostCompared && after.size() <= kMostCompared;
  std::vector<std::uint32_t> common(is_compared ? (before.size() + 1) * wide : 0);
  const auto at = [&](std::size_t i, std::size_t j) -> std::uint32_t& {
    return common[i * wide + j];
  };
  for (std::size_t i = is_compared ? before.size() : 0; i-- > 0;) {
    for (std::size_t j = after.size(); j-- > 0;) {
      const std::uint32_t skipped = std::max(at(i + 1, j), at(i, j + 1));
      at(i, j) = before[i] == after[j] ? at(i + 1, j + 1) + 1 : skipped;
    }
  }
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < before.size() || j < after.size()) {
    const bool both = is_compared && i < before.size() && j < after.size();
    if (both && before[i] == after[j]) {
      rows.push_back({' ', before[i]});
      ++i;
      ++j;
    } else if (i < before.size() && (!both || at(i + 1, j) >= at(i, j + 1))) {
      rows.push_back({'-', before[i++]});
    } else {
      rows.push_back({'+', after[j++]});
    }
  }
}

std::vector<Row> rows_of(const Lines& before, const Lines& after) {
  const std::size_t shorter = std::min(before.size(), after.size());
  std::size_t head = 0;
  while (head < shorter && before[head] == after[head]) {
    ++head;
  }
  std::size_t tail = 0;
  while (tail < shorter - head && before.rbegin()[static_cast<std::ptrdiff_t>(tail)] ==
                                      after.rbegin()[static_cast<std::ptrdiff_t>(tail)]) {
    ++tail;
  }
  const auto middle = [&](const Lines& lines) {
    return Lines(lines.begin() + static_cast<std::ptrdiff_t>(head),
                 lines.end() - static_cast<std::ptrdiff_t>(tail));
  };
  std::vector<Row> rows;
  rows.reserve(before.size() + after.size());
  for (std::size_t i = 0; i < head; ++i) {
    rows.push_back({' ', before[i]});
  }
  add_middle(middle(before), middle(after), rows);
  for (std::size_t i = before.size() - tail; i < before.size(); ++i) {
    rows.push_back({' ', before[i]});
  }
  return rows;
}

// "12", "12,5"; for an empty range the line before it.
std::string range_text(std::size_t first, std::size_t count) {
  std::string text = std::to_string(count == 0 ? first - 1 : first);
  if (count != 1) {
    text += ",";
    text += std::to_string(count);
  }
  return text;
}

/// Rows [begin, end), of which the first is line `before` and `after` of the two texts, from 1.
struct Hunk {
  std::size_t begin = 0, end = 0, before = 1, after = 1;
};

std::string to_text(const std::vector<Row>& rows, const Hunk& hunk) {
  std::size_t removed = 0;
  std::size_t added = 0;
  std::string body;
  for (std::size_t i = hunk.begin; i < hunk.end; ++i) {
    removed += rows[i].sign != '+' ? 1 : 0;
    added += rows[i].sign != '-' ? 1 : 0;
    body += rows[i].sign;
    body += rows[i].line;
    body += rows[i].line.ends_with('\n') ? "" : "\n\\ No newline at end of file\n";
  }
  std::string text = "@@ -";
  text += range_text(hunk.before, removed);
  text += " +";
  text += range_text(hunk.after, added);
  text += " @@\n";
  return text + body;
}

}  // namespace

std::string unified_diff(std::string_view before, std::string_view after, const std::string& name) {
  if (before == after) {
    return "";
  }
  const std::vector<Row> rows = rows_of(lines_of(before), lines_of(after));
  std::string text = "--- ";
  text += name;
  text += "\n+++ ";
  text += name;
  text += "\n";
  Hunk hunk;
  bool is_open = false;
  std::size_t quiet = 0;  // rows without a change up to here
  Hunk here;              // the current row
  const auto close = [&](std::size_t end) {
    hunk.end = end;
    text += to_text(rows, hunk);
    is_open = false;
  };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].sign == ' ') {
      ++quiet;
      if (is_open && quiet > 2 * kContext) {
        close(i + 1 - quiet + kContext);
      }
    } else {
      if (!is_open) {
        const std::size_t context = std::min(quiet, kContext);
        hunk = {i - context, i, here.before - context, here.after - context};
        is_open = true;
      }
      quiet = 0;
    }
    here.before += rows[i].sign != '+' ? 1 : 0;
    here.after += rows[i].sign != '-' ? 1 : 0;
  }
  if (is_open) {
    close(rows.size() - quiet + std::min(quiet, kContext));
  }
  return text;
}

}  // namespace tune
