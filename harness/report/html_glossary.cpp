#include "report/html_glossary.h"

#include "report/html_parts.h"

#include <array>

namespace tune::report {

namespace {

struct Word {
  const char *word, *meaning;
};

constexpr std::array<Word, 16> kWords = {
    {{"cell", "one combination of knob values; the baseline is what runs today"},
     {"trial", "one process that runs one cell once"},
     {"slice", "steps timed as one block; the device is waited for only at its edges"},
     {"measured window", "the slices that count; no profiler exists in it"},
     {"profiled window", "later steps of the same process, which are recorded"},
     {"round", "one pass over the cells in random order"},
     {"fresh pair", "a new process of the baseline and one of the candidate, in random order"},
     {"CONFIRMED", "faster by more than does not matter, by fresh pairs"},
     {"REFUTED", "at most as much faster as does not matter, by fresh pairs"},
     {"AMBIGUOUS", "the pairs that were run cannot tell"},
     {"interval", "what the true value lies in, with the confidence beside it"},
     {"exposed", "time at which this part ran and nothing more telling did"},
     {"overlapped", "time of a part that others hide; to shorten it gains nothing"},
     {"Pareto front", "settings of which no other is as fast with as little memory"},
     {"knee", "the smallest value that cannot be told from the fastest"},
     {"head-room", "memory that was left at the peak"}}};

}  // namespace

Markup pitfalls() {
  return bullets(
      {"Summed kernel time is not wall time: streams overlap.",
       "Exposed is not blocking: what nothing hides need not be what others wait for.",
       "An occupant is not the producer: who runs while others wait need not be the cause.",
       "The wait in next() is not the loader's cost: it is what the training does not hide of it.",
       "When one part shrinks another may grow: what was hidden behind it comes to light.",
       "The best of many settings looks better in the search than it is: only fresh pairs count."});
}

Markup glossary() {
  Markup list;
  list.open("dl", {{"class", "fields"}}).line();
  for (const Word& word : kWords) {
    list.leaf("dt", word.word).leaf("dd", word.meaning).line();
  }
  list.close().line();
  return folded("Words of this report", list);
}

}  // namespace tune::report
