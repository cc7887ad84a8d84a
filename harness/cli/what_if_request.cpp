#include "cli/what_if_request.h"

#include "base/error.h"
#include "cli/expect_word.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <string_view>

namespace tune::cli {

namespace {

constexpr double kMostFactor = 1000;

std::vector<std::string> part_names() {
  std::vector<std::string> names;
  names.reserve(profile::kPathParts);
  for (std::size_t i = 0; i < profile::kPathParts; ++i) {
    names.emplace_back(profile::path_part_name(static_cast<profile::PathPart>(i)));
  }
  return names;
}

std::string list_of(const std::vector<std::string>& words) {
  std::string list;
  for (const std::string& word : words) {
    list += (list.empty() ? "" : ", ") + word;
  }
  return list;
}

// Names may hold a '=' too: the last one counts.
double parse_factor(const std::string& text, std::size_t equals) {
  const std::string_view number = std::string_view(text).substr(equals + 1);
  double factor = 0;
  const char* const end = number.data() + number.size();
  const auto [stopped, error] = std::from_chars(number.data(), end, factor);
  // Also false for nan.
  const bool is_factor =
      error == std::errc() && stopped == end && factor >= 0 && factor <= kMostFactor;
  if (!is_factor) {
    throw Error(Error::Parts{"--what-if '" + text + "'",
                             "has no factor",
                             "0 to 1000: what its time is multiplied by",
                             "--what-if 'launch=0'"});
  }
  return factor;
}

profile::WhatIf parse_one(const std::string& text) {
  const std::size_t equals = text.rfind('=');
  if (equals == std::string::npos) {
    throw Error(Error::Parts{"--what-if '" + text + "'",
                             "has no =",
                             "a part, perhaps a part of a name, and a factor",
                             "--what-if 'kernel gemm=0.5'"});
  }
  profile::WhatIf change{.factor = parse_factor(text, equals)};
  const std::string what = text.substr(0, equals);
  const std::size_t space = std::min(what.find(' '), what.size());
  const std::string part = what.substr(0, space);
  const std::vector<std::string> names = part_names();
  expect_word("--what-if '" + text + "'", part, names);
  const auto index = std::find(names.begin(), names.end(), part) - names.begin();
  change.part = static_cast<profile::PathPart>(index);
  change.name = space < what.size() ? what.substr(space + 1) : "";
  return change;
}

}  // namespace

void add_what_if_option(CLI::App& command, std::vector<std::string>& texts) {
  command
      .add_option("--what-if",
                  texts,
                  "'PART[ NAME]=FACTOR': the step at best, were the time of a part of the critical "
                  "path, or of the rows of it whose names hold NAME, multiplied by FACTOR: "
                  "'launch=0', 'kernel gemm=0.5'. Several count together. PART: " +
                      list_of(part_names()))
      ->allow_extra_args(false);
}

std::vector<profile::WhatIf> parse_what_if(const std::vector<std::string>& texts) {
  std::vector<profile::WhatIf> changes;
  changes.reserve(texts.size());
  for (const std::string& text : texts) {
    changes.push_back(parse_one(text));
  }
  return changes;
}

}  // namespace tune::cli
