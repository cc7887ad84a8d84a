#pragma once

#include "worker/out_of_memory.h"

#include <c10/util/Exception.h>

#include <exception>
#include <new>
#include <stdexcept>
#include <string>

namespace tune::worker {

/// What a plug-in threw while it computed: an outcome of the trial, like a crash.
class PluginThrew : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Calls into a plug-in. Whatever it throws becomes a PluginThrew, "libmymodel.so threw in step():
/// ..."; want of memory stays what it is.
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
    throw PluginThrew(sentence("something that is no std::exception"));
  }
}

}  // namespace tune::worker
