#include "base/error.h"
#include "cli/commands.h"
#include "cli/embedded_texts.h"
#include "cli/global_flags.h"
#include "cli/old_words.h"
#include "cli/prepare_inputs.h"
#include "cli/standard_streams.h"
#include "cli/terminal.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <csignal>
#include <exception>
#include <filesystem>
#include <iostream>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

// Every command, in the order of help.txt. To add one: a file, a line here, a line in
// CMakeLists.txt and in help.txt, and tests/cli/<command>/.
constexpr std::array kCommands = {
    &tune::cli::add_run,     &tune::cli::add_launch,     &tune::cli::add_merge,
    &tune::cli::add_gate,    &tune::cli::add_baseline,   &tune::cli::add_calibrate,
    &tune::cli::add_probe,   &tune::cli::add_doctor,     &tune::cli::add_data,
    &tune::cli::add_plan,    &tune::cli::add_validate,   &tune::cli::add_analyze,
    &tune::cli::add_trace,   &tune::cli::add_report,     &tune::cli::add_verify,
    &tune::cli::add_apply,   &tune::cli::add_rules,      &tune::cli::add_history,
    &tune::cli::add_compare, &tune::cli::add_list,       &tune::cli::add_init,
    &tune::cli::add_schema,  &tune::cli::add_completion, &tune::cli::add_man,
    &tune::cli::add_help,
};

// `tune run -- python train.py --epochs 3`: what follows -- is not an option of tune's. Returns
// how many words come before it.
int take_command(int argc, char** argv, std::vector<std::string>& command) {
  char** const end = argv + argc;
  char** const dashes =
      std::find_if(argv, end, [](const char* word) { return std::string_view(word) == "--"; });
  const bool takes_one =
      argc > 1 && std::any_of(argv + 1, dashes, [](const char* word) {
        return std::string_view(word) == "run" || std::string_view(word) == "launch" ||
               std::string_view(word) == "init" || std::string_view(word) == "trace";
      });
  if (dashes == end || !takes_one) {
    return argc;
  }
  command.assign(dashes + 1, end);
  return static_cast<int>(dashes - argv);
}

// `tune gate -- python train.py`: these commands take a scenario, which init writes of a training.
void refuse_command(int argc, char** argv) {
  char** const end = argv + argc;
  char** const dashes =
      std::find_if(argv, end, [](const char* word) { return std::string_view(word) == "--"; });
  char** const name = std::find_if(argv, dashes, [](const char* word) {
    return std::string_view(word) == "plan" || std::string_view(word) == "gate" ||
           std::string_view(word) == "calibrate" || std::string_view(word) == "validate";
  });
  if (name == dashes || end - dashes < 3) {
    return;
  }
  std::string command;
  for (char** word = dashes + 1; word != end; ++word) {
    command += std::string(" ") + *word;
  }
  throw tune::Error({std::string("tune ") + *name,
                     "takes a scenario, not a command",
                     "init looks at the training and writes one",
                     "tune init -o mine.yaml --" + command});
}

tune::ExitCode run_command(int argc, char** argv) {
  CLI::App app("", "tune");
  app.set_version_flag("-V,--version", "tune " + std::string(tune::cli::version()));
  app.require_subcommand(0, 1);  // else a folder called run is taken for the command
  tune::cli::Invocation invocation{.words = {argv, argv + argc}};
  argc = take_command(argc, argv, invocation.command);
  refuse_command(argc, argv);
  tune::cli::GlobalFlags flags;
  flags.add_to(app, invocation);
  for (const auto add : kCommands) {
    add(app, invocation);
  }
  std::vector<std::string> words = tune::cli::in_new_words({argv + std::min(argc, 1), argv + argc});
  std::reverse(words.begin(), words.end());  // CLI11 takes the last one first
  try {
    app.parse(std::move(words));
  } catch (const CLI::CallForHelp&) {
    const auto named = app.get_subcommands();
    std::cout << (named.empty() ? std::string(tune::kHelpText) : app.help());
    return tune::ExitCode::fine;
  } catch (const CLI::CallForVersion& version) {
    std::cout << version.what() << '\n';
    return tune::ExitCode::fine;
  } catch (const CLI::ParseError& error) {
    throw tune::Error(tune::cli::parse_complaint(app, error));
  }
  tune::cli::refuse_empty_words(app);
  if (!invocation.run) {
    std::cout << tune::kHelpText;
    return tune::ExitCode::fine;
  }
  flags.settle(invocation);
  return invocation.run();
}

}  // namespace

int main(int argc, char** argv) {
  tune::cli::hold_standard_streams();
  const tune::cli::MessagesWithoutWaiting messages;
  const tune::cli::SafeStreams streams;
  std::signal(SIGXFSZ, SIG_IGN);  // a file that is too large for ulimit -f cannot be written: told
  tune::ExitCode code = tune::ExitCode::our_bug;
  try {
    code = run_command(argc, argv);
    if (!std::cout.flush()) {
      std::cerr << "standard output: cannot be written (its disk is full, or its reader is gone)\n";
      code = tune::worse(code, tune::ExitCode::partial);
    }
  } catch (const tune::cli::PreparationInterrupted& interrupted) {
    std::cerr << "interrupted; nothing was measured\n";
    code = interrupted.code;
  } catch (const tune::MachineError& error) {
    std::cerr << error.what() << '\n';
    code = tune::ExitCode::not_available;
  } catch (const tune::Error& error) {
    std::cerr << error.what() << '\n';
    code = tune::ExitCode::wrong_input;
  } catch (const std::filesystem::filesystem_error& error) {
    // Some calls have no sentence of their own for it; our code is not at fault.
    std::cerr << error.path1().string() << ": cannot be used (" << error.code().message() << ")\n";
    const bool may_pass = tune::is_of_machine(error.code().value());
    code = may_pass ? tune::ExitCode::not_available : tune::ExitCode::wrong_input;
  } catch (const std::bad_alloc&) {
    std::cerr << "tune: there is not enough memory\n";
    code = tune::ExitCode::not_available;
  } catch (const std::exception& error) {
    std::cerr << "tune: our bug: " << error.what() << '\n';
  }
  return static_cast<int>(code);
}
