#include "cli/parser_tree.h"

#include "cli/help_texts.h"
#include "rule/catalog.h"

#include <filesystem>
#include <utility>

namespace tune::cli {

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
