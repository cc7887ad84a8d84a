#include "dataset/data_set.h"

#include "base/error.h"
#include "base/file.h"
#include "base/machine_error.h"
#include "base/sha256.h"
#include "dataset/data_cache.h"
#include "dataset/image_folder.h"
#include "dataset/make_files.h"
#include "dataset/make_set_once.h"
#include "dataset/manifest.h"
#include "dataset/set_check.h"
#include "dataset/set_draft.h"

#include <algorithm>
#include <system_error>
#include <thread>

namespace tune::dataset {

namespace {

namespace fs = std::filesystem;

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
    return std::nullopt;  // damaged: as good as none, it is made again
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
