#include "data_check.h"

#include "dataset/data_set.h"
#include "trial/knob_catalog.h"

#include <iostream>
#include <unistd.h>

namespace data_check {

namespace {

fs::path generate(const fs::path& cache, const std::string& profile, std::int64_t samples) {
  tune::dataset::GeneratedSpec spec;
  spec.profile = profile;
  spec.samples = samples;
  spec.classes = 4;
  spec.seed = 1;
  return tune::dataset::make_generated(spec, cache).root;
}

}  // namespace

fs::path Folders::photos() const {
  return generate(cache, "imagenet", 96);
}

fs::path Folders::faults() const {
  return generate(cache, "faults", 128);
}

tune::trial::TrialSpec make_spec(const fs::path& images, const Change& change) {
  tune::trial::TrialSpec spec;
  spec.workload.image_size = 48;
  spec.workload.classes = 4;
  spec.workload.seed = 7;
  spec.data.source = "generated-jpeg";
  spec.data.path = images.string();
  spec.knobs = tune::trial::default_settings();
  spec.knobs["batch_size"] = std::int64_t{10};
  spec.knobs["num_workers"] = std::int64_t{2};
  if (change) {
    change(spec);
  }
  return spec;
}

std::unique_ptr<tune::worker::Loader> open(const fs::path& images, const Change& change) {
  return tune::worker::make_loader(make_spec(images, change));
}

void Hash::add(const void* data, std::size_t bytes) {
  const auto* const begin = static_cast<const unsigned char*>(data);
  for (std::size_t i = 0; i < bytes; ++i) {
    value_ = (value_ ^ begin[i]) * 0x100000001b3ULL;
  }
}

void add_to(Hash& hash, const tune::worker::Batch& batch) {
  expect(batch.images.is_contiguous(at::MemoryFormat::ChannelsLast),
         "the images have channels-last strides");
  hash.add(batch.images.const_data_ptr(), batch.images.nbytes());
  hash.add(batch.labels.const_data_ptr(), batch.labels.nbytes());
}

std::uint64_t hash_of(tune::worker::Loader& loader, std::int64_t batches) {
  Hash hash;
  for (std::int64_t i = 0; i < batches; ++i) {
    add_to(hash, loader.next());
  }
  return hash.value();
}

void expect(bool holds, const std::string& what) {
  if (!holds) {
    throw std::runtime_error(what);
  }
}

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const std::exception& exception) {
    return exception.what();
  }
  return "(nothing was thrown)";
}

}  // namespace data_check

int main(int argc, char** argv) {
  std::map<std::string, data_check::Check> checks;
  data_check::add_batch_checks(checks);
  data_check::add_fault_checks(checks);
  data_check::add_pixel_checks(checks);
  const auto check = argc == 3 ? checks.find(argv[1]) : checks.end();
  if (check == checks.end()) {
    std::cerr << "usage: data_check <check> <folder for images>\nchecks:\n";
    for (const auto& [name, action] : checks) {
      std::cerr << "  " << name << '\n';
    }
    return 2;
  }
  int code = 0;
  try {
    check->second({argv[2]});
    std::cout << "ok\n" << std::flush;
  } catch (const std::exception& error) {
    std::cout << "FAILED: " << error.what() << '\n' << std::flush;
    code = 1;
  }
  _exit(code);  // as the worker leaves: without LibTorch's static destructors
}
