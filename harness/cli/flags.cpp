#include "cli/flags.h"

#include "base/error.h"
#include "base/text.h"

#include <CLI/App.hpp>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <iostream>
#include <system_error>

namespace tune::cli {

CLI::App& add_command(CLI::App& app, const CommandText& text) {
  std::string head = "Examples:\n";
  for (const std::string& example : text.examples) {
    head += "  " + example + "\n";
  }
  CLI::App* const command = app.add_subcommand(text.name, head + "\n" + text.what);
  command->fallthrough();
  return *command;
}

void expect_word(const std::string& where,
                 const std::string& word,
                 const std::vector<std::string>& words) {
  if (std::find(words.begin(), words.end(), word) != words.end()) {
    return;
  }
  std::string list;
  for (const std::string& known : words) {
    list += (list.empty() ? "" : ", ") + known;
  }
  throw Error(Error::Parts{
      where, "unknown word '" + word + "'", "one of: " + list, did_you_mean(word, words)});
}

std::string one_of(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    text += (text.empty() ? "{" : ",") + word;
  }
  return text + "}";
}

bool is_set(const char* variable) {
  const char* const value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

GivenValue flag_or_environment(const std::string& flag,
                               const std::string& value,
                               const char* variable) {
  if (!value.empty()) {
    return {value, flag, false};
  }
  if (!is_set(variable)) {
    return {};
  }
  return {std::getenv(variable), std::string("environment variable ") + variable, true};
}

int port_of(const std::string& flag) {
  constexpr int kLastPort = 65535;
  if (flag.empty()) {
    return 0;
  }
  int port = -1;
  const char* const end = flag.data() + flag.size();
  const std::from_chars_result read = std::from_chars(flag.data(), end, port);
  if (read.ec != std::errc() || read.ptr != end || port < 0 || port > kLastPort) {
    throw Error(Error::Parts{
        "--port " + flag, "is not a port", "1 to 65535; 0 is any that is free", "--port 8080"});
  }
  return port;
}

ExitCode refuse_port(int port, const std::string& why) {
  const std::string which = port == 0 ? "" : ":" + std::to_string(port);
  std::cerr << to_sentence({"127.0.0.1" + which,
                            "cannot be listened on",
                            why,
                            port == 0 ? "" : "end what listens there, or leave --port away"})
            << '\n';
  return ExitCode::not_available;
}

}  // namespace tune::cli
