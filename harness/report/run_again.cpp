#include "report/run_again.h"

#include "report/markup.h"
#include "report/run_facts.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

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

// The commit of "HEAD~1" where a side is "HEAD~1 at 0123456789ab" in words; else "".
std::string commit_of(const std::string& revision, const std::vector<std::string>& compared) {
  constexpr std::string_view kPrefix = "git:";
  const bool has_prefix = revision.starts_with(kPrefix);
  const std::string prefix(has_prefix ? kPrefix : "");
  const std::string begin = revision.substr(prefix.size()) + " at ";
  for (const std::string& words : compared) {
    if (words.starts_with(begin)) {
      const std::string hash = words.substr(begin.size());
      if (!hash.empty() && hash.find_first_not_of("0123456789abcdef") == std::string::npos) {
        return prefix + hash;
      }
    }
  }
  return "";
}

// What the gate of a result compared with, in words.
std::vector<std::string> compared_by(const result::Result& result) {
  std::vector<std::string> compared;
  if (result.gate) {
    compared.push_back(result.gate->baseline.words);
    if (result.gate->anchor) {
      compared.push_back(result.gate->anchor->words);
    }
  }
  return compared;
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

std::vector<std::string> with_commits(std::vector<std::string> command,
                                      const std::vector<std::string>& compared) {
  std::string before;
  for (std::string& word : command) {
    if (word == "--") {
      break;
    }
    const bool is_value = before == "--baseline" || before == "--anchor";
    const bool holds_value = word.starts_with("--baseline=") || word.starts_with("--anchor=");
    before = word;
    const std::size_t begin = holds_value ? word.find('=') + 1 : 0;
    if (is_value || holds_value) {
      const std::string commit = commit_of(word.substr(begin), compared);
      if (!commit.empty()) {
        word.replace(begin, std::string::npos, commit);
      }
    }
  }
  return command;
}

Blocks run_again(const result::Result& result, const SeedWords& words) {
  const std::string command = command_line(
      with_commits(repeat_command(result.provenance, words.is_asked_for), compared_by(result)));
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
