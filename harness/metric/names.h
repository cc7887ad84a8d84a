#pragma once

#include "profile/timeline.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace tune::metric {

/// Whether the text holds the word, which is in lower case, in any case.
bool has_in_any_case(std::string_view text, std::string_view lower_word);

/// Rows whose names a predicate fits; each name is looked at once. Refers to the timeline.
class NamesThat {
 public:
  using Predicate = bool (*)(std::string_view);

  NamesThat(const profile::Timeline& timeline, Predicate fits)
      : timeline_(timeline), fits_(fits), known_(timeline.strings.size(), Known::not_yet) {}

  bool operator()(const profile::Event& event) {
    Known& known = known_[event.name];
    if (known == Known::not_yet) {
      known = fits_(timeline_.name(event)) ? Known::yes : Known::no;
    }
    return known == Known::yes;
  }

 private:
  enum class Known : std::uint8_t { not_yet, yes, no };

  const profile::Timeline& timeline_;
  Predicate fits_;
  std::vector<Known> known_;  // by StringId
};

}  // namespace tune::metric
