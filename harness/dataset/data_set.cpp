#include "dataset/data_set.h"

#include "base/background_thread.h"
#include "base/error.h"
#include "base/file.h"
#include "base/sha256.h"
#include "dataset/data_cache.h"
#include "dataset/generated_image.h"
#include "dataset/image_folder.h"
#include "dataset/make_set_once.h"
#include "dataset/manifest.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <filesystem>
#include <mutex>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>

namespace tune::dataset {

namespace {

namespace fs = std::filesystem;

/// Writes the bytes into a new file.
void write_new_file(const fs::path& path, std::string_view bytes, mode_t mode) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  int reason = file < 0 ? errno : 0;
  while (reason == 0 && !bytes.empty()) {
    const ssize_t put = write(file, bytes.data(), bytes.size());
    if (put >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(put));
    } else if (errno != EINTR) {
      reason = errno;
    }
  }
  if (reason == 0 && mode != 0644 && fchmod(file, mode) != 0) {
    reason = errno;
  }
  if (file >= 0 && close(file) != 0 && reason == 0) {
    reason = errno;
  }
  if (reason != 0) {
    throw Error({path.string(),
                 "cannot be written",
                 std::strerror(reason),
                 reason == ENOSPC || reason == EDQUOT ? "Free some space on that disk" : ""});
  }
}

/// Hands out sample numbers to threads and collects what they made.
class Workshop {
 public:
  Workshop(const GeneratedSpec& spec, const fs::path& folder) : spec_(spec), folder_(folder) {
    manifest_.jpeg_version = jpeg_version();
    manifest_.spec = spec;
    manifest_.files.resize(static_cast<std::size_t>(spec.samples));
  }

  /// Body of one thread.
  void work() {
    try {
      for (std::int64_t i = next_++; i < spec_.samples && !stopped_; i = next_++) {
        manifest_.files[static_cast<std::size_t>(i)] = make(i);
        ++done_;
      }
    } catch (...) {
      const std::lock_guard hold(mutex_);
      if (!failure_) {
        failure_ = std::current_exception();
      }
      stopped_ = true;
    }
    const std::lock_guard hold(mutex_);
    ++left_;
    changed_.notify_all();
  }

  void stop() { stopped_ = true; }

  /// Waits until `threads` threads have finished, and reports progress meanwhile.
  void wait(int threads, const OnProgress& on_progress) {
    constexpr std::chrono::milliseconds kPause(100);
    std::unique_lock hold(mutex_);
    while (!changed_.wait_for(hold, kPause, [&] { return left_ == threads; })) {
      hold.unlock();
      if (on_progress) {
        on_progress({MakingProgress::Stage::making, done_, spec_.samples});
      }
      hold.lock();
    }
  }

  Manifest take() {
    if (failure_) {
      std::rethrow_exception(failure_);
    }
    return std::move(manifest_);
  }

 private:
  ManifestFile make(std::int64_t index) const {
    const GeneratedImage image = generate_image(spec_, index);
    const Fault fault = image.plan.fault;
    write_new_file(
        folder_ / image_path(spec_, index), image.bytes, fault == Fault::unreadable ? 0 : 0644);
    return {static_cast<std::int64_t>(image.bytes.size()), sha256_hex(image.bytes), fault};
  }

  const GeneratedSpec& spec_;
  const fs::path& folder_;
  Manifest manifest_;
  std::atomic<std::int64_t> next_ = 0, done_ = 0;
  std::atomic<bool> stopped_ = false;
  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::exception_ptr failure_;
  int left_ = 0;
};

/// Threads that are stopped and joined, however the scope is left.
class Crew {
 public:
  /// Throws tune::MachineError when not even one can be started.
  Crew(Workshop& workshop, int most) : workshop_(workshop) {
    try {
      for (int i = 0; i < most; ++i) {
        threads_.push_back(start_thread([&workshop] { workshop.work(); }));
      }
    } catch (const MachineError&) {
      if (threads_.empty()) {
        throw;
      }
    }
  }
  ~Crew() {
    workshop_.stop();  // they are joined afterwards
  }
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  int size() const { return static_cast<int>(threads_.size()); }

 private:
  Workshop& workshop_;
  std::vector<std::jthread> threads_;
};

// Writes every image of the set below `folder` (which exists) on `threads` threads, and returns
// the manifest. Stops all threads and rethrows when a file cannot be written or `on_progress`
// throws.
Manifest make_files(const GeneratedSpec& spec,
                    const fs::path& folder,
                    const OnProgress& on_progress,
                    int threads) {
  for (std::int64_t label = 0; label < spec.classes; ++label) {
    std::error_code error;
    fs::create_directory(folder / class_name(spec, label), error);
    if (error) {
      throw Error({folder.string(), "cannot hold the class folders", error.message(), ""});
    }
  }
  Workshop workshop(spec, folder);
  {
    const Crew crew(workshop, threads);
    workshop.wait(crew.size(), on_progress);
  }
  return workshop.take();
}

int thread_count(int asked, std::int64_t samples) {
  const int cpus = static_cast<int>(std::max(std::thread::hardware_concurrency(), 1U));
  const int wanted = asked > 0 ? asked : cpus;
  return static_cast<int>(std::min<std::int64_t>(wanted, samples));
}

fs::path root_of(const GeneratedSpec& spec, const fs::path& cache_folder) {
  return fs::absolute(sets_folder(cache_folder)) / set_name(spec);
}

DataSet to_data_set(const fs::path& root, const Manifest& manifest, const std::string& text) {
  return {.root = root,
          .manifest_sha256 = sha256_hex(text),
          .samples = manifest.spec.samples,
          .classes = manifest.spec.classes,
          .bytes = total_bytes(manifest),
          .skipped = {}};
}

}  // namespace

std::optional<DataSet> find_generated(const GeneratedSpec& spec, const fs::path& cache_folder) {
  const fs::path root = root_of(spec, cache_folder);
  std::error_code error;
  if (!fs::exists(root / kManifestName, error)) {
    return std::nullopt;
  }
  try {
    const std::string text = read_manifest_text(root);
    const Manifest manifest = parse_manifest(text, (root / kManifestName).string());
    const bool is_wanted = manifest.generator_version == kGeneratorVersion &&
                           manifest.jpeg_version == jpeg_version() && manifest.spec == spec;
    if (!is_wanted || !check_files(root, manifest, CheckDepth::sizes).empty()) {
      return std::nullopt;
    }
    return to_data_set(root, manifest, text);
  } catch (const MachineError&) {
    throw;
  } catch (const Error&) {
    return std::nullopt;  // damaged: it is made again
  }
}

DataSet make_generated(const GeneratedSpec& spec,
                       const fs::path& cache_folder,
                       const OnProgress& on_progress,
                       int threads) {
  check_spec(spec, "data");
  const fs::path root = root_of(spec, cache_folder);
  return make_set_once(
      root,
      spec.samples,
      on_progress,
      [&] { return find_generated(spec, cache_folder); },
      [&](const fs::path& folder) {
        check_space(set_name(spec), estimated_bytes(spec), root.parent_path());
        const Manifest manifest =
            make_files(spec, folder, on_progress, thread_count(threads, spec.samples));
        const std::string text = to_text(manifest);
        return MadeSet<DataSet>{to_data_set(root, manifest, text), text};
      });
}

DataSet describe_image_folder(const fs::path& root, std::int64_t expected_classes) {
  const ImageFolder folder = read_image_folder(root);
  const auto classes = static_cast<std::int64_t>(folder.classes.size());
  if (classes != expected_classes) {
    throw Error(
        {root.string(),
         "has " + std::to_string(classes) + " classes",
         "the scenario says " + std::to_string(expected_classes) + "; every sub-folder is a class",
         "classes: " + std::to_string(classes)});
  }
  // Names may hold any byte but NUL, so NUL separates.
  std::string text("tune-image-folder 1\n");
  for (const std::string& name : folder.classes) {
    text.append(name).push_back('\0');
  }
  DataSet set{.root = root,
              .manifest_sha256 = "",
              .samples = static_cast<std::int64_t>(folder.files.size()),
              .classes = classes,
              .bytes = 0,
              .skipped = describe_skipped(folder)};
  for (const ImageFile& file : folder.files) {
    text.append(file.path).push_back('\0');
    text.append(std::to_string(file.bytes)).push_back('\0');
    set.bytes += file.bytes;
  }
  set.manifest_sha256 = sha256_hex(text);
  return set;
}

}  // namespace tune::dataset
