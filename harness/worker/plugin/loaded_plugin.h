#pragma once

#include "trial/knob_catalog.h"
#include "worker/failure.h"
#include "worker/plugin/workload.h"

#include <c10/util/Exception.h>

#include <exception>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

namespace tune::worker {

/// What a plug-in threw while it computed: an outcome of the trial, like a crash.
class PluginThrew : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Calls into a plug-in. Whatever it throws becomes a PluginThrew, "libmymodel.so threw in step():
/// ..."; an out-of-memory error stays what it is.
template <class Call>
auto guarded(const std::string& plugin, const char* function, const Call& call) {
  const auto sentence = [&](const std::string& words) {
    return plugin + " threw in " + function + ": " + words;
  };
  try {
    return call();
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const c10::OutOfMemoryError&) {
    throw;
  } catch (const c10::Error& error) {
    const std::string words = error.what_without_backtrace();
    if (says_out_of_memory(words)) {
      throw;
    }
    throw PluginThrew(sentence(words));
  } catch (const std::exception& error) {
    throw PluginThrew(sentence(error.what()));
  } catch (...) {
    throw PluginThrew(sentence("something that is not a std::exception"));
  }
}

/// A shared library that implements the contract of worker/plugin/workload.h. It is never unloaded.
class LoadedPlugin {
 public:
  /// Throws std::invalid_argument with a sentence for the user: it is not a library, not a plug-in
  /// of tune, was built against another LibTorch, another standard library or another version of
  /// the contract, or declares invalid knobs.
  explicit LoadedPlugin(const std::filesystem::path& file);

  const std::string& name() const { return name_; }                 ///< of its file
  const std::vector<trial::Knob>& knobs() const { return knobs_; }  ///< as "plugin.width"

  /// Throws std::invalid_argument with what the constructor throws, except out-of-memory errors.
  /// Nobody destroys the object: the process ends with the trial.
  plugin::Workload& make(const plugin::Setup& setup) const;

 private:
  std::string name_;
  const plugin::Table* table_ = nullptr;
  std::vector<trial::Knob> knobs_;
};

}  // namespace tune::worker
