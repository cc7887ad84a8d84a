#include "base/error.h"
#include "base/units.h"
#include "cli/commands.h"
#include "cli/flags.h"
#include "cli/interruption.h"
#include "cli/terminal.h"
#include "dataset/data_cache.h"
#include "dataset/data_set.h"
#include "dataset/generated_tokens.h"
#include "machine/user_folders.h"

#include <CLI/App.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>
#include <iomanip>
#include <iostream>
#include <memory>
#include <unistd.h>

namespace tune::cli {

namespace {

using dataset::CachedSet;
using dataset::MakingProgress;

constexpr std::size_t kMostProblems = 20;  // shown of one set
constexpr const char* kErasing = "\r\033[K";

struct Interrupted {};

/// Tells how far the making is: one line that changes on a terminal, else one every 10 s.
class ProgressLine {
 public:
  ProgressLine(const char* what, bool is_quiet, const Interruption& interruption)
      : what_(what),
        is_quiet_(is_quiet),
        is_terminal_(isatty(2) == 1),
        interruption_(interruption) {}

  void show(const MakingProgress& progress) {
    constexpr int kCallsBetweenLines = 100;  // ten calls a second
    if (interruption_.asked()) {
      throw Interrupted();
    }
    if (is_quiet_ || (!is_terminal_ && calls_++ % kCallsBetweenLines != 0)) {
      return;
    }
    write_unchanged(std::cerr, is_terminal_ ? kErasing : "");
    if (progress.stage == MakingProgress::Stage::waiting) {
      std::cerr << "waiting: another process makes this data set";
    } else {
      std::cerr << "making " << what_ << ": " << progress.done << " of " << progress.total;
    }
    std::cerr << (is_terminal_ ? "" : "\n") << std::flush;
  }

  void finish() const {
    if (is_terminal_ && !is_quiet_) {
      write_unchanged(std::cerr, kErasing);
      std::cerr << std::flush;
    }
  }

 private:
  const char* what_;
  bool is_quiet_, is_terminal_;
  const Interruption& interruption_;
  int calls_ = 0;
};

/// Makes a set and says what came of it, in two lines.
using MakeSet = std::function<std::string(const dataset::OnProgress&)>;

ExitCode make(const char* what, bool is_quiet, const MakeSet& make_set) {
  const Interruption interruption;
  ProgressLine line(what, is_quiet, interruption);
  try {
    const std::string text =
        make_set([&line](const MakingProgress& progress) { line.show(progress); });
    line.finish();
    std::cout << text;
    return ExitCode::fine;
  } catch (const Interrupted&) {
    line.finish();
    std::cerr << "interrupted; nothing is left of the data set\n";
    return interruption.exit_code();
  }
}

ExitCode make_images(const dataset::GeneratedSpec& spec, bool is_quiet) {
  dataset::check_spec(spec, "tune data make");
  return make("images", is_quiet, [&spec](const dataset::OnProgress& on_progress) {
    const dataset::DataSet set =
        dataset::make_generated(spec, machine::cache_folder(), on_progress);
    return set.root.string() + "\n" + std::to_string(set.samples) + " images in " +
           std::to_string(set.classes) + " classes, " + format_bytes(set.bytes) +
           ", manifest sha256 " + set.manifest_sha256 + "\n";
  });
}

// `tokens` where a set of them is asked for.
ExitCode say_plan(const dataset::GeneratedSpec& images, const dataset::TokenSpec* tokens) {
  constexpr const char* kCommand = "tune data make";
  if (tokens != nullptr) {
    dataset::check_spec(*tokens, kCommand);
    std::cout << "would make " << tokens->tokens << " tokens";
  } else {
    dataset::check_spec(images, kCommand);
    std::cout << "would make " << images.samples << " images (" << images.profile << ")";
  }
  std::cout << " in " << dataset::sets_folder(machine::cache_folder()).string() << "\n";
  return ExitCode::fine;
}

ExitCode make_tokens(const dataset::TokenSpec& spec, bool is_quiet) {
  dataset::check_spec(spec, "tune data make");
  return make("tokens", is_quiet, [&spec](const dataset::OnProgress& on_progress) {
    const dataset::TokenSet set =
        dataset::make_generated_tokens(spec, machine::cache_folder(), on_progress);
    return set.file.parent_path().string() + "\n" + std::to_string(set.tokens) + " tokens of " +
           std::to_string(spec.vocabulary) + " different ones, " + format_bytes(set.bytes) +
           ", manifest sha256 " + set.manifest_sha256 + "\n";
  });
}

nlohmann::json to_json(const CachedSet& cached) {
  nlohmann::json json = {{"name", cached.name}, {"path", cached.set.root.string()}};
  if (cached.tokens) {
    json["tokens"] = cached.tokens->tokens;
    json["vocabulary"] = cached.tokens->vocabulary;
    json["seed"] = cached.tokens->seed;
    json["bytes"] = cached.set.bytes;
    json["manifest_sha256"] = cached.set.manifest_sha256;
  } else if (!cached.set.manifest_sha256.empty()) {
    json["profile"] = cached.spec.profile;
    json["samples"] = cached.spec.samples;
    json["classes"] = cached.spec.classes;
    json["seed"] = cached.spec.seed;
    json["bytes"] = cached.set.bytes;
    json["manifest_sha256"] = cached.set.manifest_sha256;
  }
  json["problem"] = cached.problem.empty() ? nlohmann::json() : nlohmann::json(cached.problem);
  return json;
}

void print_table(const std::vector<CachedSet>& sets) {
  std::size_t width = 4;
  for (const CachedSet& cached : sets) {
    width = std::max(width, cached.name.size());
  }
  const auto column = static_cast<int>(width) + 2;
  std::cout << std::left << std::setw(column) << "name" << std::right << std::setw(11) << "samples"
            << std::setw(9) << "classes" << std::setw(11) << "size"
            << "  manifest sha256 (first 12)\n";
  for (const CachedSet& cached : sets) {
    const std::string classes = cached.tokens ? "-" : std::to_string(cached.set.classes);
    std::cout << std::left << std::setw(column) << cached.name << std::right << std::setw(11)
              << cached.set.samples << std::setw(9) << classes << std::setw(11)
              << format_bytes(cached.set.bytes) << "  " << cached.set.manifest_sha256.substr(0, 12)
              << (cached.problem.empty() ? "" : "  damaged: " + cached.problem) << "\n";
  }
}

enum class ListFormat { table, rows, json };

ExitCode list(ListFormat format) {
  const std::vector<CachedSet> sets = dataset::list_sets(machine::cache_folder());
  const auto leftovers = dataset::list_leftovers(machine::cache_folder());
  if (format == ListFormat::json) {
    nlohmann::json json = {{"folder", dataset::sets_folder(machine::cache_folder()).string()},
                           {"sets", nlohmann::json::array()},
                           {"leftovers", nlohmann::json::array()}};
    for (const CachedSet& cached : sets) {
      json["sets"].push_back(to_json(cached));
    }
    for (const auto& leftover : leftovers) {
      json["leftovers"].push_back(leftover.string());
    }
    std::cout << json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
    return ExitCode::fine;
  }
  if (format == ListFormat::rows) {
    for (const CachedSet& cached : sets) {
      std::cout << plain_row({cached.name,
                              std::to_string(cached.set.samples),
                              std::to_string(cached.set.classes),
                              std::to_string(cached.set.bytes),
                              cached.set.manifest_sha256,
                              cached.problem});
    }
    return ExitCode::fine;
  }
  if (sets.empty()) {
    std::cout << "no data sets in " << dataset::sets_folder(machine::cache_folder()).string()
              << "\n";
  } else {
    print_table(sets);
  }
  for (const auto& leftover : leftovers) {
    std::cout << leftover.string() << ": its making was cut short; 'tune data rm --leftovers'\n";
  }
  return ExitCode::fine;
}

/// The sets that were named, or all of them.
std::vector<std::filesystem::path> named_sets(const std::vector<std::string>& names) {
  std::vector<std::filesystem::path> roots;
  roots.reserve(names.size());
  for (const std::string& name : names) {
    roots.push_back(dataset::find_set(machine::cache_folder(), name));
  }
  if (names.empty()) {
    for (const CachedSet& cached : dataset::list_sets(machine::cache_folder())) {
      roots.push_back(cached.set.root);
    }
  }
  return roots;
}

ExitCode verify(const std::vector<std::string>& names) {
  ExitCode code = ExitCode::fine;
  for (const auto& root : named_sets(names)) {
    const auto problems = dataset::check_set(root, dataset::CheckDepth::contents);
    std::cout << root.filename().string() << ": "
              << (problems.empty() ? "intact" : std::to_string(problems.size()) + " problems")
              << "\n";
    for (std::size_t i = 0; i < std::min(problems.size(), kMostProblems); ++i) {
      std::cout << "  " << problems[i] << "\n";
    }
    if (problems.size() > kMostProblems) {
      std::cout << "  and " << problems.size() - kMostProblems << " more\n";
    }
    code = problems.empty() ? code : ExitCode::negative_verdict;
  }
  return code;
}

struct Removal {
  std::vector<std::string> names;
  bool all = false, leftovers = false, dry_run = false;
};

ExitCode remove(Removal removal) {
  if (removal.names.empty() && !removal.all && !removal.leftovers) {
    throw Error(Error::Parts{"tune data rm",
                             "names nothing to delete",
                             "'tune data list' names the sets",
                             "tune data rm NAME..., or --all, or --leftovers"});
  }
  const auto cache = machine::cache_folder();
  if (removal.all) {
    for (const CachedSet& cached : dataset::list_sets(cache)) {
      removal.names.push_back(cached.name);
    }
  }
  for (const std::string& name : removal.names) {
    if (removal.dry_run) {
      std::cout << "would delete " << dataset::find_set(cache, name).string() << "\n";
      continue;
    }
    dataset::remove_set(cache, name);
    std::cout << "deleted " << name << "\n";
  }
  if (removal.dry_run) {
    const auto leftovers = removal.all || removal.leftovers ? dataset::list_leftovers(cache)
                                                            : std::vector<std::filesystem::path>{};
    for (const auto& leftover : leftovers) {
      std::cout << "would delete " << leftover.string() << "\n";
    }
    return ExitCode::fine;
  }
  if (removal.all || removal.leftovers) {
    dataset::remove_leftovers(cache);
  }
  return ExitCode::fine;
}

void add_make(CLI::App& data, Invocation& invocation) {
  CLI::App& command = add_command(data,
                                  {"make",
                                   "Makes a set of JPEG files, or of tokens, in the cache, once.",
                                   {"tune data make --profile imagenet --samples 2000",
                                    "tune data make --tokens 4194305 --vocabulary 50257"}});
  const auto tokens = std::make_shared<dataset::TokenSpec>();
  const auto spec = std::make_shared<dataset::GeneratedSpec>();
  std::string profiles = "Kind of images:";
  std::vector<std::string> names;
  for (const dataset::Profile& profile : dataset::profiles()) {
    profiles += "\n  " + profile.name + ": " + profile.content;
    names.push_back(profile.name);
  }
  auto* const profile = command.add_option("--profile", spec->profile, profiles)
                            ->type_name(one_of(names))
                            ->capture_default_str();
  auto* const samples =
      command.add_option("--samples", spec->samples, "Number of images")->capture_default_str();
  auto* const classes =
      command.add_option("--classes", spec->classes, "Number of classes")->capture_default_str();
  command.add_option("--seed", spec->seed, "The same seed gives the same bytes")
      ->capture_default_str();
  auto* const count =
      command.add_option("--tokens", tokens->tokens, "Number of tokens; a set of tokens");
  command.add_option("--vocabulary", tokens->vocabulary, "Number of different tokens")
      ->capture_default_str()
      ->needs(count);
  for (CLI::Option* const of_images : {profile, samples, classes}) {
    count->excludes(of_images);
  }
  const auto dry_run = std::make_shared<bool>(false);
  command.add_flag("-n,--dry-run", *dry_run, "Say what would be made, make nothing");
  command.callback([&invocation, spec, tokens, count, dry_run] {
    const bool are_tokens = count->count() > 0;
    tokens->seed = spec->seed;
    invocation.run = [&invocation, spec, tokens, are_tokens, dry_run] {
      if (*dry_run) {
        return say_plan(*spec, are_tokens ? tokens.get() : nullptr);
      }
      return are_tokens ? make_tokens(*tokens, invocation.quiet)
                        : make_images(*spec, invocation.quiet);
    };
  });
}

void add_list_of_sets(CLI::App& data, Invocation& invocation) {
  CLI::App& command = add_command(
      data, {"list", "Lists the sets in the cache.", {"tune data list", "tune data list --json"}});
  struct Flags {
    bool as_json = false, as_plain = false;
  };
  const auto flags = std::make_shared<Flags>();
  CLI::Option* const json = command.add_flag("--json", flags->as_json, "As JSON");
  command
      .add_flag("--plain",
                flags->as_plain,
                "Tab-separated: name, images, classes, bytes, manifest's SHA-256, damage")
      ->excludes(json);
  command.callback([&invocation, flags] {
    invocation.run = [flags] {
      return list(flags->as_json    ? ListFormat::json
                  : flags->as_plain ? ListFormat::rows
                                    : ListFormat::table);
    };
  });
}

void add_data_verify(CLI::App& data, Invocation& invocation) {
  CLI::App& command =
      add_command(data,
                  {"verify",
                   "Reads every file of the sets and compares it with the manifest; 1 = damaged.",
                   {"tune data verify", "tune data verify NAME"}});
  const auto names = std::make_shared<std::vector<std::string>>();
  command.add_option("NAME", *names, "Sets; all when none is named");
  command.callback([&invocation, names] { invocation.run = [names] { return verify(*names); }; });
}

void add_rm(CLI::App& data, Invocation& invocation) {
  CLI::App& command = add_command(
      data, {"rm", "Deletes sets from the cache.", {"tune data rm NAME", "tune data rm --all"}});
  const auto removal = std::make_shared<Removal>();
  command.add_option("NAME", removal->names, "Sets");
  command.add_flag("--all", removal->all, "All sets and leftovers");
  command.add_flag(
      "--leftovers", removal->leftovers, "What is left of makings that were cut short");
  command.add_flag("-n,--dry-run", removal->dry_run, "Say what would be deleted, delete nothing");
  command.callback(
      [&invocation, removal] { invocation.run = [removal] { return remove(*removal); }; });
}

}  // namespace

void add_data(CLI::App& app, Invocation& invocation) {
  CLI::App& data = add_command(app,
                               {"data",
                                "Generated data sets: make, list, verify, rm.",
                                {"tune data make --profile tiny --samples 100", "tune data list"}});
  // Not require_subcommand(): it would answer a misspelt command with "required".
  data.callback([&data, &invocation] {
    if (data.get_subcommands().empty()) {
      invocation.run = []() -> ExitCode {
        throw Error(Error::Parts{
            "tune data", "a command is missing", "make, list, verify or rm", "tune data list"});
      };
    }
  });
  add_make(data, invocation);
  add_list_of_sets(data, invocation);
  add_data_verify(data, invocation);
  add_rm(data, invocation);
}

}  // namespace tune::cli
