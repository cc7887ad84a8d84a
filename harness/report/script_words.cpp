#include "report/script_words.h"

#include "base/text.h"
#include "measure/campaign/loss_parity.h"
#include "report/diagnosis_text.h"
#include "report/number_text.h"
#include "report/run_words.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace tune::report {

namespace {

using result::TriedKnob;

constexpr std::size_t kLongestWhy = 200, kLongestCommand = 200, kMostLines = 8;

constexpr std::array<std::pair<std::string_view, std::string_view>, 15> kPlaces = {
    {{"amp", "forward"},
     {"batch_fetch", "loader"},
     {"batch_size", "loader"},
     {"channels_last", "forward"},
     {"compile", "forward"},
     {"in_order", "loader"},
     {"multiprocessing_context", "loader"},
     {"num_workers", "loader"},
     {"optimizer_impl", "optimizer"},
     {"persistent_workers", "loader"},
     {"pin_memory", "loader"},
     {"prefetch_factor", "loader"},
     {"preload", "loader"},
     {"sdpa", "forward"},
     {"worker_nice", "loader"}}};

std::string_view kind_of(std::string_view knob) {
  const auto found = std::find_if(
      kPlaces.begin(), kPlaces.end(), [&](const auto& each) { return each.first == knob; });
  return found == kPlaces.end() ? "" : found->second;
}

std::string name_of(std::string_view kind) {
  return kind == "loader"      ? "the DataLoader of "
         : kind == "optimizer" ? "the optimizer of "
                               : "the forward call of ";
}

// By what a rule looks at, the part of a step that it is about.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kParts = {
    {{"data_wait_ratio", "data_wait"},
     {"optimizer_ratio", "optimizer"},
     {"other_phase_ratio", "other"},
     {"partition_other_ratio", "other"}}};

std::string_view part_of(const result::Finding& finding) {
  for (const result::Evidence& evidence : finding.evidence) {
    const auto found = std::find_if(kParts.begin(), kParts.end(), [&](const auto& part) {
      return part.first == evidence.metric;
    });
    if (found != kParts.end()) {
      return found->second;
    }
  }
  return "";
}

// "data.py:9 image = Image.open(path) (68.0 % of the time)", of the part that the rule is about.
std::vector<std::string> busiest_lines(const result::Result& result, const std::string& rule) {
  constexpr std::size_t kMostShown = 2, kLongestLine = 80;
  constexpr double kWorthNaming = 0.02;
  const result::Finding* const finding = result.script ? finding_of(result, rule) : nullptr;
  std::vector<std::string> shown;
  if (finding == nullptr) {
    return shown;
  }
  const std::string_view part = part_of(*finding);
  for (const result::BusyLine& line : result.script->lines) {
    if (line.part == part && line.ratio >= kWorthNaming && shown.size() < kMostShown) {
      shown.push_back(one_line(line.file) + ":" + std::to_string(line.line) + " " +
                      shortened(line.text, kLongestLine) + " (" + share_text(line.ratio) +
                      " of the time)");
    }
  }
  return shown;
}

// Null where none ran.
const result::Confirmation* pairs_of(const result::Result& result, const std::string& cell) {
  const auto& all = result.confirmations;
  const auto found = std::find_if(
      all.begin(), all.end(), [&](const result::Confirmation& each) { return each.cell == cell; });
  return found == all.end() ? nullptr : &*found;
}

// As it was observed; "" where it is not known.
std::string own_batch_size(const result::Script& script) {
  const auto found = std::find_if(script.observed.begin(),
                                  script.observed.end(),
                                  [](const auto& each) { return each.first == "batch_size"; });
  return found == script.observed.end() ? "" : one_line(trial::to_text(found->second));
}

/// Whether some trial had a knob in effect, and why one had not.
struct Effect {
  bool is_there = false;
  std::string why;
};

std::string untested_words(const std::map<std::string_view, Effect>& by_knob) {
  std::vector<std::string> names, reasons;
  for (const auto& [knob, effect] : by_knob) {
    if (effect.is_there) {
      continue;
    }
    names.push_back(one_line(knob));
    const std::string why = shortened(effect.why, kLongestWhy);
    if (std::find(reasons.begin(), reasons.end(), why) == reasons.end()) {
      reasons.push_back(why);
    }
  }
  return names.empty()                    ? ""
         : names.size() == by_knob.size() ? std::string(kIgnored) + joined(reasons, "; ")
                                          : joined(names) + " ignored";
}

}  // namespace

std::string place_of_knob(const result::Result& result, std::string_view knob) {
  const std::string_view kind = kind_of(knob);
  if (!result.script || kind.empty()) {
    return "";
  }
  const std::string places = result.script->places_of(std::string(kind));
  return places.empty() ? "" : name_of(kind) + one_line(places);
}

std::string places_of(const result::Result& result, const result::Recommendation& recommendation) {
  std::vector<std::string> places;
  for (const result::KnobChange& knob : recommendation.change.knobs) {
    const std::string place = place_of_knob(result, knob.name);
    if (!place.empty() && std::find(places.begin(), places.end(), place) == places.end()) {
      places.push_back(place);
    }
  }
  const std::vector<std::string> lines = busiest_lines(result, recommendation.rule);
  places.insert(places.end(), lines.begin(), lines.end());
  return joined(places);
}

std::map<std::string, std::string> untested_cells(const result::Result& result) {
  std::map<std::string, std::map<std::string_view, Effect>> cells;
  if (!result.script) {
    return {};
  }
  for (const TriedKnob& knob : result.script->knobs) {
    Effect& effect = cells[knob.cell][knob.knob];
    const bool is_in_effect = knob.state != "ignored";
    effect.is_there = effect.is_there || is_in_effect;
    effect.why = is_in_effect ? effect.why : knob.why;
  }
  std::map<std::string, std::string> untested;
  for (const auto& [cell, by_knob] : cells) {
    if (std::string words = untested_words(by_knob); !words.empty()) {
      untested.emplace(cell, std::move(words));
    }
  }
  return untested;
}

std::string losses_words(const result::Result& result,
                         const result::Recommendation& recommendation) {
  if (!result.script) {
    return "";
  }
  const result::Cell* const cell = cell_with(result, recommendation);
  const result::Confirmation* const pairs = cell == nullptr ? nullptr : pairs_of(result, cell->id);
  if (pairs != nullptr && !pairs->losses.empty()) {
    return one_line(pairs->losses);
  }
  std::vector<std::string> knobs;
  knobs.reserve(recommendation.change.knobs.size());
  for (const result::KnobChange& knob : recommendation.change.knobs) {
    knobs.push_back(knob.name);
  }
  return campaign::losses_without_pairs(knobs, own_batch_size(*result.script));
}

std::string form_words(const result::PairForm& form) {
  if (!form.applied) {
    return "by injection: " + one_line(form.why);
  }
  const std::string files = joined(form.files);
  std::vector<std::string> parts = {joined(form.options, " "),
                                    joined(form.variables, " "),
                                    files.empty() ? "" : "changed " + files};
  std::erase(parts, "");
  return "in the form that is applied (" + one_line(joined(parts)) + "), nothing injected";
}

PairWords words_of_best_pairs(const result::Result& result) {
  const result::Confirmation* const pairs = pairs_of(result, result.summary.best.side.cell);
  if (!result.script || pairs == nullptr || pairs->pairs == 0) {
    return {};
  }
  return {.form = pairs->form ? form_words(*pairs->form) : "", .losses = one_line(pairs->losses)};
}

std::string settings_words(const result::Setting& setting) {
  std::vector<std::string> words;
  for (const auto& [knob, value] : setting) {
    words.push_back(one_line(knob) + " " + one_line(trial::to_text(value)));
  }
  return joined(words);
}

std::vector<std::string> script_lines(const result::Result& result) {
  std::vector<std::string> lines;
  if (!result.script) {
    return lines;
  }
  const result::Script& script = *result.script;
  std::vector<std::string> places;
  for (const char* const what : {"loader", "optimizer", "forward", "backward"}) {
    if (const std::string place = script.places_of(what); !place.empty()) {
      places.push_back(std::string(what) + " " + place);
    }
  }
  lines.push_back("script: " + shortened(script.command_words(), kLongestCommand) +
                  (places.empty() ? "" : " (" + one_line(joined(places)) + ")"));
  for (const TriedKnob& knob : script.knobs) {
    if (knob.state != "ignored" && knob.state != "resisted") {
      continue;
    }
    const std::string value = knob.value ? " " + result::value_text(*knob.value) : "";
    const std::string line = knob.state + ": " + one_line(knob.knob) + one_line(value) + ": " +
                             shortened(knob.why, kLongestWhy);
    if (lines.size() < kMostLines && std::find(lines.begin(), lines.end(), line) == lines.end()) {
      lines.push_back(line);
    }
  }
  return lines;
}

}  // namespace tune::report
