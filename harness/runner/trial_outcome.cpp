#include "runner/trial_outcome.h"

#include <array>
#include <utility>

namespace tune::runner {

namespace {
constexpr std::array<std::pair<OutcomeKind, std::string_view>, 7> kNames = {
    {{OutcomeKind::completed, "completed"},
     {OutcomeKind::crashed, "crashed"},
     {OutcomeKind::timed_out, "timed-out"},
     {OutcomeKind::out_of_memory, "out-of-memory"},
     {OutcomeKind::refused, "refused"},
     {OutcomeKind::garbled, "garbled"},
     {OutcomeKind::interrupted, "interrupted"}}};
}  // namespace

std::string_view name(OutcomeKind kind) {
  for (const auto& [known, text] : kNames) {
    if (known == kind) {
      return text;
    }
  }
  return "";
}

std::optional<OutcomeKind> parse_outcome_kind(std::string_view name) {
  for (const auto& [kind, text] : kNames) {
    if (text == name) {
      return kind;
    }
  }
  return std::nullopt;
}

}  // namespace tune::runner
