#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/command_tree.h"
#include "cli/commands.h"
#include "cli/embedded_texts.h"
#include "cli/flags.h"

#include <CLI/App.hpp>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>

namespace tune::cli {

namespace {

// "tune", "tune-rules-show": a page's name, and with ".1" its file's.
std::string page_name(const CommandNode& node);

// Text as roff reads it: no letter of it is an instruction, and minus signs can be copied.
std::string escaped(std::string_view text) {
  std::string out;
  bool is_line_begin = true;
  for (const char letter : text) {
    if (is_line_begin && (letter == '.' || letter == '\'')) {
      out += "\\&";
    }
    is_line_begin = letter == '\n';
    if (letter == '\\') {
      out += "\\e";
    } else if (letter == '-') {
      out += "\\-";
    } else if (letter == '\'') {
      out += "\\(aq";
    } else if (letter == '`') {
      out += "\\(ga";
    } else if (letter == '^') {
      out += "\\(ha";
    } else if (letter == '~') {
      out += "\\(ti";
    } else {
      out += letter;
    }
  }
  return out;
}

std::string bold(const std::string& text) {
  return "\\fB" + escaped(text) + "\\fR";
}

std::string italic(const std::string& text) {
  return "\\fI" + escaped(text) + "\\fR";
}

// A line may end behind each comma of "{a,b,c}".
std::string breakable(const std::string& text) {
  std::string out;
  for (const char letter : text) {
    out += letter;
    out += letter == ',' ? "\\:" : "";
  }
  return out;
}

std::string section(const char* name) {
  return std::string(".SH ") + name + "\n";
}

std::string command_line(const CommandNode& node) {
  return node.path.empty() ? "tune" : "tune " + node.path;
}

// A text of ours as it is, in a fixed width.
std::string verbatim(std::string_view text) {
  return ".PP\n.nf\n" + escaped(text) + (text.ends_with('\n') ? "" : "\n") + ".fi\n";
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char letter) {
    return static_cast<char>(std::toupper(letter));
  });
  return text;
}

std::string argument_text(const CommandWord& argument) {
  const std::string text = italic(argument.names.front()) + (argument.repeats ? " ..." : "");
  return argument.is_required ? text : "[" + text + "]";
}

std::string synopsis(const CommandNode& node) {
  std::string text = ".B " + escaped(command_line(node)) + "\n";
  if (!node.commands.empty()) {
    text += ".I COMMAND\n";
  }
  text += "[" + italic("OPTIONS") + "]\n";
  for (const CommandWord& argument : node.arguments) {
    text += argument_text(argument) + "\n";
  }
  return text;
}

// Each line of the text begins a new one in the page.
std::string paragraphs(const std::string& text) {
  std::string page;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty()) {
      page += (page.empty() ? "" : ".br\n") + escaped(line) + "\n";
    }
  }
  return page;
}

std::string word_entry(const CommandWord& word) {
  std::string names;
  for (const std::string& name : word.names) {
    names += (names.empty() ? "" : ", ") + bold(name);
  }
  if (word.names.front().starts_with('-') && word.takes_value) {
    names += " \\fI" + breakable(escaped(word.value)) + "\\fR";
  }
  const bool is_choice = !word.names.front().starts_with('-') && word.kind == ValueKind::words &&
                         word.names.front() != "ID";
  std::string help = word.help;
  if (is_choice) {
    std::string list;
    for (const std::string& choice : word.choices) {
      list += (list.empty() ? "" : ", ") + choice;
    }
    help += ": " + list;
  }
  return ".TP\n" + names + "\n" + paragraphs(help);
}

std::string word_entries(const std::vector<CommandWord>& words) {
  std::string text;
  for (const CommandWord& word : words) {
    text += word_entry(word);
  }
  return text;
}

std::string see_also(const CommandNode& node, const CommandNode& root) {
  std::string text;
  const auto add = [&](const CommandNode& other) {
    text += (text.empty() ? ".BR " : " ,\n.BR ") + escaped(page_name(other)) + " (1)";
  };
  if (&node != &root) {
    add(root);
  }
  for (const CommandNode& below : node.commands) {
    add(below);
  }
  return text.empty() ? "" : section("SEE ALSO") + text + "\n";
}

std::string page_name(const CommandNode& node) {
  std::string name = command_line(node);
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

// The manual page of a command (section 1) for man(7) and groff. Equal for equal programs: it
// carries the version, no date.
std::string man_page(const CommandNode& node, const CommandNode& root) {
  const std::string name = page_name(node);
  std::string page = ".TH " + escaped(upper(name)) + " 1 \"\" \"tune " + escaped(version()) +
                     "\" \"User Commands\"\n";
  page += section("NAME") + escaped(name) + " \\- " + escaped(node.summary) + "\n";
  page += section("SYNOPSIS") + synopsis(node);
  if (!node.what.empty()) {
    page += section("DESCRIPTION") + paragraphs(node.what);
  }
  if (!node.arguments.empty()) {
    page += section("ARGUMENTS") + word_entries(node.arguments);
  }
  if (!node.commands.empty()) {
    page += section("COMMANDS");
    for (const CommandNode& below : node.commands) {
      page += ".TP\n" + bold(command_line(below)) + "\n" + paragraphs(below.summary);
    }
  }
  page += section("OPTIONS") + word_entries(node.flags);
  if (&node == &root) {
    page += section("EXIT STATUS") + verbatim(kHelpExitCodesText);
    page += section("ENVIRONMENT") + verbatim(kHelpEnvironmentText);
  } else {
    page +=
        ".PP\nFlags of \\fBtune\\fR\\|(1), such as \\fB\\-C\\fR and \\fB\\-\\-color\\fR, may "
        "stand here too.\n";
  }
  if (!node.examples.empty()) {
    page += section("EXAMPLES");
    for (const std::string& example : node.examples) {
      page += verbatim(example);
    }
  }
  return page + see_also(node, root);
}

namespace fs = std::filesystem;

// The command of these words: {"rules", "show"}.
const CommandNode& named(const CommandNode& root, const std::vector<std::string>& words) {
  const CommandNode* node = &root;
  for (const std::string& word : words) {
    const CommandNode* found = nullptr;
    std::vector<std::string> names;
    for (const CommandNode& below : node->commands) {
      names.push_back(below.name);
      found = below.name == word ? &below : found;
    }
    if (found == nullptr) {
      const std::string where = "tune man" + (node->path.empty() ? "" : " " + node->path);
      throw Error(Error::Parts{where,
                               "there is no command '" + word + "'",
                               "commands are listed by 'tune --help'",
                               did_you_mean(word, names)});
    }
    node = found;
  }
  return *node;
}

ExitCode write_pages(const CommandNode& root, const fs::path& folder) {
  make_folders(folder);
  std::size_t count = 0;
  for (const CommandNode* const node : all_commands(root)) {
    write_file_synced(folder / (page_name(*node) + ".1"), man_page(*node, root));
    ++count;
  }
  std::cout << folder.string() << ": " << count << " pages\n";
  return ExitCode::fine;
}

}  // namespace

void add_man(CLI::App& app, Invocation& invocation) {
  CLI::App& command = add_command(
      app,
      {"man",
       "Prints the manual page of tune or of one of its commands, made of the parser itself; with "
       "-o writes all of them into a folder.",
       {"tune man run | man -l -", "tune man -o ~/.local/share/man/man1"}});
  const auto words = std::make_shared<std::vector<std::string>>();
  const auto folder = std::make_shared<std::string>();
  command.add_option("COMMAND", *words, "Which command; default: tune itself");
  command.add_option("-o,--output", *folder, "Folder for the pages of all commands")
      ->type_name("DIR");
  command.callback([&app, &invocation, words, folder] {
    invocation.run = [&app, words, folder]() -> ExitCode {
      const CommandNode root = parser_tree(app);
      if (!folder->empty()) {
        return write_pages(root, *folder);
      }
      std::cout << man_page(named(root, *words), root);
      return ExitCode::fine;
    };
  });
}

}  // namespace tune::cli
