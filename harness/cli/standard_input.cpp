#include "cli/standard_input.h"

#include "base/error.h"
#include "base/file.h"
#include "profile/reader/read_trace.h"
#include "scenario/scenario.h"

#include <array>
#include <cstddef>
#include <memory>
#include <optional>

namespace tune::cli {

namespace {

constexpr const char* kName = "standard input";
constexpr std::int64_t kLongestScenario = 1 << 20;

// Through its path, as of any file: where that is a pipe, it can be read once.
std::unique_ptr<profile::ByteSource> open_standard_input() {
  return profile::decompressed(profile::open_file("/dev/stdin"), kName);
}

std::string read_standard_input() {
  const auto source = open_standard_input();
  std::array<char, 1 << 16> block{};
  std::string text;
  for (std::size_t size = 0; (size = source->read(block.data(), block.size())) > 0;) {
    text.append(block.data(), size);
    if (text.size() > kLongestScenario) {
      throw Error(Error::Parts{kName,
                               "is too large for a scenario",
                               "at most " + std::to_string(kLongestScenario) + " bytes",
                               ""});
    }
  }
  if (const std::string damage = source->damage(); !damage.empty()) {
    throw Error(Error::Parts{kName, "cannot be read to its end", damage, ""});
  }
  return text;
}

}  // namespace

bool is_standard_input(const std::filesystem::path& word) {
  return word == scenario::kStandardInput;
}

std::string scenario_text(const std::string& word) {
  static std::optional<std::string> text;
  if (!is_standard_input(word)) {
    return read_file(word, kLongestScenario);
  }
  if (!text) {
    text = read_standard_input();
  }
  return *text;
}

scenario::Scenario read_named_scenario(const std::string& word) {
  return is_standard_input(word) ? scenario::read_scenario(scenario_text(word), word)
                                 : scenario::load_scenario(word);
}

profile::Timeline read_named_trace(const std::filesystem::path& word,
                                   const profile::ReadOptions& options) {
  return is_standard_input(word) ? profile::read_trace(open_standard_input(), kName, options)
                                 : profile::read_trace(word, options);
}

}  // namespace tune::cli
