#include "cli/command_tree.h"

#include "advice/rule/catalog.h"
#include "cli/embedded_texts.h"

#include <CLI/App.hpp>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace tune::cli {

namespace {

constexpr std::string_view kExamples = "Examples:\n";

// "Examples:\n  tune run FILE\n\nWhat it does.": what add_command() writes.
void take_description(const std::string& text, CommandNode& node) {
  const std::size_t end = text.find("\n\n");
  if (!text.starts_with(kExamples) || end == std::string::npos) {
    node.what = text;
    return;
  }
  node.what = text.substr(end + 2);
  std::size_t begin = kExamples.size();
  while (begin < end) {
    const std::size_t stop = std::min(text.find('\n', begin), end);
    const std::size_t first = text.find_first_not_of(' ', begin);
    node.examples.push_back(text.substr(first, stop - first));
    begin = stop + 1;
  }
}

// The words behind "  run FILE     measure ..." in the text of `tune --help`; "" when it has none.
std::string line_of(std::string_view help_text, const std::string& command) {
  std::size_t begin = 0;
  while (begin < help_text.size()) {
    const std::size_t end = std::min(help_text.find('\n', begin), help_text.size());
    const std::string_view line = help_text.substr(begin, end - begin);
    const std::string head = "  " + command;
    const bool is_it =
        line.starts_with(head) && line.size() > head.size() && line[head.size()] == ' ';
    const std::size_t gap = is_it ? line.find("  ", head.size()) : std::string_view::npos;
    const std::size_t words =
        gap == std::string_view::npos ? gap : line.find_first_not_of(' ', gap);
    if (words != std::string_view::npos) {
      return std::string(line.substr(words));
    }
    begin = end + 1;
  }
  return "";
}

std::string first_sentence(const std::string& text) {
  return text.substr(0, std::min(text.find(". "), text.find(".\n")));
}

std::string without_full_stop(std::string text) {
  if (text.ends_with('.')) {
    text.pop_back();
  }
  return text;
}

// The words of "{a,b}", wherever it stands: a type of ours, or a check of CLI11 behind its type.
std::vector<std::string> choices_in(const std::string& type) {
  const std::size_t begin = type.find('{');
  const std::size_t end = type.find('}', begin == std::string::npos ? 0 : begin);
  std::vector<std::string> words;
  if (begin == std::string::npos || end == std::string::npos) {
    return words;
  }
  std::string word;
  for (const char letter : type.substr(begin + 1, end - begin - 1) + ",") {
    if (letter == ',') {
      words.push_back(word);
      word.clear();
    } else {
      word += letter;
    }
  }
  return words;
}

void set_kind(const std::string& type, const std::vector<std::string>& ids, CommandWord& word) {
  const auto is_called = [&](const char* name) {
    return type == name || (word.value == name && type == "TEXT");
  };
  const bool is_output =
      std::find(word.names.begin(), word.names.end(), "--output") != word.names.end();
  word.choices = choices_in(type);
  if (!word.choices.empty()) {
    word.kind = ValueKind::words;
  } else if (is_called("ID")) {
    word.kind = ValueKind::words;
    word.choices = ids;
  } else if (is_called("FILE") || is_called("TRACE") || (is_output && type == "TEXT")) {
    word.kind = ValueKind::file;
  } else if (is_called("DIR")) {
    word.kind = ValueKind::folder;
  } else if (is_called("RUN")) {
    word.kind = ValueKind::run;
  }
}

// "TEXT:{a,b}" -> "{a,b}", "INT:INT in [1 - 9]" -> "INT".
std::string value_name(const std::string& type) {
  const std::size_t begin = type.find('{');
  if (begin != std::string::npos) {
    return type.substr(begin, type.find('}', begin) + 1 - begin);
  }
  return type.substr(0, type.find(':'));
}

CommandWord word_of(const CLI::Option& option, const std::vector<std::string>& ids) {
  CommandWord word;
  word.help = option.get_description();
  word.is_required = option.get_required();
  word.repeats = option.get_items_expected_max() > 1;
  word.takes_value = option.get_items_expected_max() != 0;
  const std::string type = option.get_type_name();
  if (option.get_positional()) {
    word.names = {option.get_name(true)};
    word.value = word.names.front();
  } else {
    for (const std::string& name : option.get_snames()) {
      word.names.push_back("-" + name);
    }
    for (const std::string& name : option.get_lnames()) {
      word.names.push_back("--" + name);
    }
    word.value = word.takes_value ? value_name(type) : "";
  }
  if (word.takes_value) {
    set_kind(type, ids, word);
  }
  return word;
}

struct Source {
  std::string_view help_text;
  const std::vector<std::string>& ids;
};

CommandNode node_of(const CLI::App& app, const std::string& path, const Source& source) {
  CommandNode node;
  node.name = app.get_name();
  node.path = path;
  take_description(app.get_description(), node);
  const bool is_first_level = !path.empty() && path.find(' ') == std::string::npos;
  node.summary = is_first_level ? line_of(source.help_text, path) : "";
  if (node.summary.empty()) {
    node.summary = without_full_stop(first_sentence(node.what));
  }
  for (const CLI::Option* const option : app.get_options()) {
    if (option->get_group().empty()) {  // an old name
      continue;
    }
    const CommandWord word = word_of(*option, source.ids);
    (option->get_positional() ? node.arguments : node.flags).push_back(word);
  }
  for (const CLI::App* const below : app.get_subcommands([](const CLI::App*) { return true; })) {
    const std::string name = below->get_name();
    std::string below_path = path;
    if (!path.empty()) {
      below_path += ' ';
    }
    below_path += name;
    node.commands.push_back(node_of(*below, below_path, source));
  }
  return node;
}

void collect(const CommandNode& node, std::vector<const CommandNode*>& all) {
  all.push_back(&node);
  for (const CommandNode& below : node.commands) {
    collect(below, all);
  }
}

}  // namespace

CommandNode command_tree(const CLI::App& app,
                         std::string_view help_text,
                         const std::vector<std::string>& ids) {
  return node_of(app, "", {help_text, ids});
}

std::vector<const CommandNode*> all_commands(const CommandNode& root) {
  std::vector<const CommandNode*> all;
  collect(root, all);
  return all;
}

CommandNode parser_tree(const CLI::App& app) {
  std::vector<std::string> ids;
  for (const rule::RuleFile& file : rule::shipped_rules()) {
    ids.push_back(std::filesystem::path(file.name).stem().string());
  }
  CommandNode root = command_tree(app, kHelpText, ids);
  root.what = std::string(kHelpText.substr(0, kHelpText.find('\n')));
  root.summary = "measures which settings make a training faster on this machine, and by how much";
  return root;
}

}  // namespace tune::cli
