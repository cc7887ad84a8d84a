#include "report/page_detail.h"

#include "base/units.h"

#include <algorithm>
#include <cstdint>

namespace tune::report {

namespace {

std::vector<PageDetail> make_details() {
  std::vector<PageDetail> details = {PageDetail{}};
  const auto then = [&](auto lessen) {
    PageDetail less = details.back();
    lessen(less);
    details.push_back(less);
  };
  then([](PageDetail& less) { less.has_data = false; });
  then([](PageDetail& less) { less.has_single_steps = false; });
  then([](PageDetail& less) { less.table_rows = 50; });
  then([](PageDetail& less) { less.strips = 5; });
  then([](PageDetail& less) { less.settings = 500; });
  then([](PageDetail& less) {
    less.trials = 100;
    less.tails = 20;
    less.scenario_bytes = 16'000;
  });
  then([](PageDetail& less) {
    less.table_rows = 10;
    less.strips = 0;
    less.settings = 50;
    less.trials = 20;
    less.tails = 3;
    less.scenario_bytes = 4'000;
  });
  then([](PageDetail& less) { less.has_plots = false; });
  return details;
}

bool continues_character(char c) {
  return (static_cast<unsigned char>(c) & 0xc0U) == 0x80;
}

}  // namespace

const std::vector<PageDetail>& page_details() {
  static const std::vector<PageDetail> details = make_details();
  return details;
}

std::string left_out_sentence(const std::string& what, const std::string& where) {
  return what + " are left out, because this page would be too large; they are in " + where + ".";
}

CutText cut_text(const std::string& text, std::size_t most_bytes) {
  if (text.size() <= most_bytes) {
    return {text, ""};
  }
  std::size_t end = most_bytes;
  while (end > 0 && continues_character(text[end])) {
    --end;
  }
  const std::size_t line = text.rfind('\n', end);
  if (line != std::string::npos && line > most_bytes / 2) {
    end = line + 1;
  }
  return {text.substr(0, end),
          "This is the start of the text: " + format_bytes(static_cast<std::int64_t>(end)) +
              " of " + format_bytes(static_cast<std::int64_t>(text.size())) +
              ". The whole is in result.json."};
}

}  // namespace tune::report
