#include "worker/plugin/loaded_plugin.h"

#include "trial/knob_catalog.h"

#include <algorithm>
#include <dlfcn.h>
#include <iterator>
#include <stdexcept>
#include <utility>
#include <variant>

namespace tune::worker {

namespace {

[[noreturn]] void refuse(const std::string& library,
                         const std::string& problem,
                         const std::string& why) {
  throw std::invalid_argument("workload.plugin: " + library + " " + problem + " (" + why + ")");
}

std::string last_error() {
  const char* const text = dlerror();
  return text == nullptr ? "unknown error" : text;
}

// Resolves every symbol now: a missing one is reported by name before anything runs.
const plugin::Table* load_table(const std::filesystem::path& file, const std::string& name) {
  void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const std::string reason = last_error();
    const bool lacks_symbol = reason.find("undefined symbol") != std::string::npos;
    refuse(
        name,
        "cannot be loaded",
        reason + (lacks_symbol ? "; was it built against another LibTorch than " TORCH_VERSION "?"
                               : ""));
  }
  auto* const entry = reinterpret_cast<plugin::Entry*>(dlsym(library, plugin::kEntry));
  const plugin::Table* const table = entry == nullptr ? nullptr : entry();
  if (table == nullptr) {
    refuse(name, "is not a plug-in of tune", "it has no TUNE_PLUGIN of <tune/workload.h>");
  }
  return table;
}

// In this order: the meaning of later fields depends on earlier ones.
void check_build(const plugin::Build& theirs, const std::string& name) {
  const plugin::Build ours{};
  if (theirs.contract != ours.contract) {
    refuse(name,
           "implements version " + std::to_string(theirs.contract) + " of the contract",
           "this tune-worker implements " + std::to_string(ours.contract) +
               ": build it with the <tune/workload.h> that came with it");
  }
  if (theirs.cxx11_abi != ours.cxx11_abi) {
    refuse(name,
           "was built with another ABI of the standard library",
           "_GLIBCXX_USE_CXX11_ABI is " + std::to_string(theirs.cxx11_abi) + " there and " +
               std::to_string(ours.cxx11_abi) + " in LibTorch");
  }
  if (theirs.torch_version == nullptr || std::string(theirs.torch_version) != ours.torch_version) {
    const std::string version = theirs.torch_version == nullptr ? "?" : theirs.torch_version;
    refuse(name,
           "was built against LibTorch " + version,
           std::string("this tune-worker against ") + ours.torch_version);
  }
  if (!std::equal(std::begin(theirs.sizes), std::end(theirs.sizes), std::begin(ours.sizes))) {
    refuse(name,
           "lays out the types of the standard library differently",
           "another library, or its debug mode");
  }
}

trial::Knob to_catalogue(const plugin::Knob& declared, const std::string& library) {
  const auto complain = [&](const std::string& problem) {
    refuse(library, "declares the knob '" + declared.name + "', which is invalid", problem);
  };
  trial::Knob knob;
  knob.name = std::string(trial::kPluginKnob) + declared.name;
  knob.summary = declared.summary;
  if (!trial::is_plugin_knob(knob.name)) {
    complain("a name is small letters, digits and _, a letter first");
  }
  if (const auto* const flag = std::get_if<bool>(&declared.default_value)) {
    knob.kind = trial::Knob::Kind::boolean;
    knob.default_value = *flag;
  } else if (const auto* const whole = std::get_if<std::int64_t>(&declared.default_value)) {
    knob.kind = trial::Knob::Kind::integer;
    knob.default_value = *whole;
    knob.min = declared.min;
    knob.max = declared.max;
  } else if (const auto* const word = std::get_if<std::string>(&declared.default_value)) {
    knob.kind = trial::Knob::Kind::choice;
    knob.default_value = *word;
    knob.choices = declared.choices;
  } else {
    complain("a knob is a flag, a whole number or one of some words");
  }
  if (const std::string problem = complaint_about(knob, knob.default_value); !problem.empty()) {
    complain("its default " + problem);
  }
  knob.preserves_numerics = false;  // unknown
  return knob;
}

}  // namespace

LoadedPlugin::LoadedPlugin(const std::filesystem::path& file)
    : name_(file.filename().string()), table_(load_table(file, name_)) {
  check_build(table_->build, name_);
  if (table_->knobs == nullptr || table_->make == nullptr) {
    refuse(name_, "is not a plug-in of tune", "its table is empty");
  }
  for (const plugin::Knob& declared : guarded(name_, "knobs()", table_->knobs)) {
    trial::Knob knob = to_catalogue(declared, name_);
    const bool is_twice = std::any_of(knobs_.begin(), knobs_.end(), [&](const trial::Knob& other) {
      return other.name == knob.name;
    });
    if (is_twice) {
      refuse(name_, "declares the knob '" + declared.name + "' twice", "names must be unique");
    }
    knobs_.push_back(std::move(knob));
  }
}

plugin::Workload& LoadedPlugin::make(const plugin::Setup& setup) const {
  plugin::Workload* made = nullptr;
  try {
    made = guarded(name_, "its constructor", [&] { return table_->make(setup); });
  } catch (const PluginThrew& threw) {  // the scenario can be changed
    throw std::invalid_argument(std::string("workload.plugin: ") + threw.what());
  }
  if (made == nullptr) {
    refuse(name_, "made no model", "its table returned null");
  }
  return *made;
}

}  // namespace tune::worker
