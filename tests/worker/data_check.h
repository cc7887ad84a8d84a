#pragma once

// The loader's checks: a separate program, because LibTorch and GoogleTest are never linked
// together. `data_check <check> <folder>` exits 0, or prints what is wrong and exits 1.

#include "trial/trial_spec.h"
#include "worker/data/loader.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>

namespace data_check {

namespace fs = std::filesystem;

/// The folder of the generated images; made at first use, shared by all checks.
struct Folders {
  fs::path cache;

  fs::path photos() const;  ///< profile imagenet, 96 images, 4 classes
  fs::path faults() const;  ///< profile faults, 128 images, 4 classes
};

using Check = std::function<void(const Folders&)>;

void add_batch_checks(std::map<std::string, Check>& checks);
void add_fault_checks(std::map<std::string, Check>& checks);
void add_pixel_checks(std::map<std::string, Check>& checks);

/// 48 px, batches of 10, two workers, everything else as users have it; then `change` is applied.
using Change = std::function<void(tune::trial::TrialSpec&)>;
tune::trial::TrialSpec make_spec(const fs::path& images, const Change& change = {});
std::unique_ptr<tune::worker::Loader> open(const fs::path& images, const Change& change = {});

/// FNV-1a 64.
class Hash {
 public:
  void add(const void* data, std::size_t bytes);
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325ULL;
};

/// Hash of the images' and labels' bytes, in memory order.
void add_to(Hash& hash, const tune::worker::Batch& batch);

/// Hash of `batches` batches of the loader.
std::uint64_t hash_of(tune::worker::Loader& loader, std::int64_t batches);

void expect(bool holds, const std::string& what);

template <class A, class B>
void expect_equal(const A& found, const B& expected, const std::string& what) {
  std::ostringstream text;
  text << what << ": " << found << ", expected " << expected;
  expect(found == expected, text.str());
}

/// The message of the exception that `action` throws.
std::string message_of(const std::function<void()>& action);

}  // namespace data_check
