#include "cli/prepare_data.h"

#include "base/units.h"
#include "dataset/data_set.h"
#include "machine/user_folders.h"

namespace tune::cli {

namespace {

using dataset::MakingProgress;

std::string words(const dataset::GeneratedSpec& spec, const MakingProgress& progress) {
  if (progress.stage == MakingProgress::Stage::waiting) {
    return "waiting: another process makes this data set";
  }
  return "making " + std::to_string(progress.total) + " images of profile " + spec.profile +
         " (about " + format_bytes(dataset::estimated_bytes(spec)) +
         ", once): " + std::to_string(progress.done) + " done";
}

}  // namespace

trial::Data prepare_data(const scenario::Scenario& scenario,
                         const std::function<void(const std::string&)>& show) {
  trial::Data data = scenario.data;
  if (data.source == "generated-jpeg") {
    dataset::GeneratedSpec spec;
    spec.profile = data.profile;
    spec.samples = data.samples;
    spec.classes = scenario.workload.classes;
    const dataset::DataSet set =
        dataset::make_generated(spec, machine::cache_folder(), [&](const MakingProgress& progress) {
          show(words(spec, progress));
        });
    data.path = set.root.string();
    data.manifest_sha256 = set.manifest_sha256;
  } else if (data.source == "image-folder") {
    const dataset::DataSet set =
        dataset::describe_image_folder(data.path, scenario.workload.classes);
    data.path = set.root.string();
    data.samples = set.samples;
    data.manifest_sha256 = set.manifest_sha256;
  }
  return data;
}

}  // namespace tune::cli
