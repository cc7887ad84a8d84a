#include "report/run_again.h"

#include "report/markup.h"
#include "report/run_facts.h"

#include <algorithm>
#include <cstddef>

namespace tune::report {

namespace {

constexpr std::size_t kLongestFact = 300, kLongestCommand = 1'600;

std::string or_unknown(const std::string& text) {
  return text.empty() ? "not known" : shortened(text, kLongestFact);
}

// How many words -o and its value are from this one on; 0 of another word.
std::ptrdiff_t output_words(const std::string& word) {
  if (word == "-o" || word == "--output") {
    return 2;
  }
  const bool holds_value = word.starts_with("--output=") || word.starts_with("-o");
  return holds_value ? 1 : 0;
}

bool names_seed(const std::string& word) {
  return word == "--seed" || word.starts_with("--seed=") || word.starts_with("seed=") ||
         word.starts_with("--set=seed=");
}

// At the start of a line: a top-level member.
bool sets_seed(const std::string& scenario) {
  return scenario.starts_with("seed:") || scenario.find("\nseed:") != std::string::npos;
}

}  // namespace

bool is_seed_drawn(const result::Result& result) {
  const result::Provenance& provenance = result.provenance;
  const auto is_said = [](const std::vector<std::string>& words) {
    return std::any_of(words.begin(), words.end(), names_seed);
  };
  return provenance.seed && !sets_seed(result.scenario.text) && !is_said(provenance.command) &&
         !is_said(provenance.overrides);
}

std::vector<std::string> repeat_command(const result::Provenance& provenance,
                                        bool is_seed_asked_for) {
  const std::vector<std::string>& typed = provenance.command;
  const auto end = std::find(typed.begin(), typed.end(), "--");  // behind it nothing is a flag
  std::vector<std::string> words;
  for (auto at = typed.begin(); at < end;) {
    const std::ptrdiff_t taken = std::min(output_words(*at), end - at);
    if (taken == 0) {
      words.push_back(*at);
    }
    at += std::max<std::ptrdiff_t>(taken, 1);
  }
  if (!typed.empty() && is_seed_asked_for && provenance.seed &&
      std::none_of(words.begin(), words.end(), names_seed)) {
    words.emplace_back("--seed");
    words.push_back(seed_text(provenance));
  }
  words.insert(words.end(), end, typed.end());
  return words;
}

Blocks run_again(const result::Result& result, const SeedWords& words) {
  const std::string command = command_line(repeat_command(result.provenance, words.is_asked_for));
  Section section;
  if (command.empty()) {
    section.add(Sentence{"The command was not recorded."});
  } else {
    section.add(Sentence{words.lead}, kAsLines | kInMarkdown)
        .add(Code{command}, kAsLines | kInHtml)
        .add(Code{shortened(command, kLongestCommand)}, kInMarkdown);
  }
  section.add(
      Sentence{"Seed " + or_unknown(words.seed) + "; scenario " + or_unknown(result.scenario.file) +
               ", SHA-256 " + or_unknown(result.scenario.sha256) + "; tune " +
               or_unknown(result.provenance.tune_version) + ", commit " +
               or_unknown(result.provenance.commit.text) + "."},
      kInHtml);
  return section.blocks;
}

}  // namespace tune::report
