#include "data_check.h"
#include "dataset/fault.h"
#include "dataset/generated_spec.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <limits>
#include <set>
#include <unistd.h>
#include <vector>

namespace data_check {

namespace {

using tune::trial::LoaderReport;
using tune::trial::TrialSpec;
using tune::worker::Batch;

// Paths of the files that no loader can use; root may read what others may not.
std::set<std::string> broken_files() {
  tune::dataset::GeneratedSpec spec;
  spec.profile = "faults";
  spec.samples = 128;
  spec.classes = 4;
  spec.seed = 1;
  std::set<std::string> paths;
  for (std::int64_t i = 0; i < spec.samples; ++i) {
    const auto fault = tune::dataset::fault_of(i);
    const bool is_readable = fault == tune::dataset::Fault::unreadable && geteuid() == 0;
    if (tune::dataset::is_broken(fault) && !is_readable) {
      paths.insert(tune::dataset::image_path(spec, i));
    }
  }
  return paths;
}

Change tolerant(const std::string& policy, const Change& further = {}) {
  return [=](TrialSpec& spec) {
    spec.data.on_error = policy;
    spec.data.max_error_ratio = 1;
    if (further) {
      further(spec);
    }
  };
}

// One epoch: shapes as if nothing were broken; returns the number of black images.
std::int64_t run_epoch(tune::worker::Loader& loader) {
  std::int64_t black = 0;
  for (std::int64_t i = 0; i < loader.batches_per_epoch(); ++i) {
    const Batch batch = loader.next();
    expect_equal(batch.images.size(0), i == 12 ? 8 : 10, "images of the batch");
    for (std::int64_t k = 0; k < batch.images.size(0); ++k) {
      black += batch.images[k].max().item<std::int64_t>() == 0 ? 1 : 0;
    }
  }
  return black;
}

void expect_all_named(const LoaderReport& report, const std::string& treatment) {
  std::set<std::string> named;
  for (const auto& file : report.broken) {
    named.insert(file.path);
    expect(!file.problem.empty(), file.path + " has a problem");
    expect(file.treatment.starts_with(treatment), file.path + ": " + file.treatment);
  }
  expect_equal(report.errors, static_cast<std::int64_t>(broken_files().size()), "errors");
  for (const std::string& path : broken_files()) {
    expect(named.contains(path), path + " is named");
  }
  expect_equal(named.size(), broken_files().size(), "files named");
}

// Every combination that decodes differently.
const std::vector<std::pair<std::string, Change>>& ways() {
  static const std::vector<std::pair<std::string, Change>> all = {
      {"full", [](TrialSpec&) {}},
      {"roi", [](TrialSpec& spec) { spec.knobs["decode"] = std::string("roi"); }},
      {"roi-scaled", [](TrialSpec& spec) { spec.knobs["decode"] = std::string("roi-scaled"); }},
      {"infer", [](TrialSpec& spec) { spec.workload.task = "infer"; }},
      {"libtorch", [](TrialSpec& spec) { spec.knobs["loader"] = std::string("libtorch"); }},
      {"no workers", [](TrialSpec& spec) { spec.knobs["num_workers"] = std::int64_t{0}; }}};
  return all;
}

void check_replace(const Folders& folders) {
  const fs::path images = folders.faults();
  for (const auto& [name, way] : ways()) {
    const auto loader = open(images, tolerant("replace", way));
    expect_equal(run_epoch(*loader), 0, name + ": black images");
    expect_all_named(loader->report(), "replaced by ");
  }
}

void check_zero(const Folders& folders) {
  const fs::path images = folders.faults();
  for (const auto& [name, way] : ways()) {
    const auto loader = open(images, tolerant("zero", way));
    expect_equal(run_epoch(*loader),
                 static_cast<std::int64_t>(broken_files().size()),
                 name + ": black images");
    expect_all_named(loader->report(), "zero");
  }
}

void check_replacement_is_deterministic(const Folders& folders) {
  const fs::path images = folders.faults();
  std::set<std::uint64_t> hashes;
  for (const std::int64_t workers : {0, 2, 8}) {
    const auto loader = open(
        images, tolerant("replace", [&](TrialSpec& spec) { spec.knobs["num_workers"] = workers; }));
    hashes.insert(hash_of(*loader, 30));
  }
  expect_equal(hashes.size(), 1U, "different hashes for 0, 2 and 8 workers");
}

void check_fail(const Folders& folders) {
  const fs::path images = folders.faults();
  std::set<std::string> messages;
  for (const std::string name : {"ring", "libtorch"}) {
    for (const std::int64_t workers : {0, 1, 8}) {
      messages.insert(message_of([&] {
        const auto loader = open(images, [&](TrialSpec& spec) {
          spec.knobs["loader"] = name;
          spec.knobs["num_workers"] = workers;
        });
        run_epoch(*loader);
      }));
    }
  }
  expect_equal(messages.size(), 1U, "different messages");
  const std::string& message = *messages.begin();
  const std::set<std::string> broken = broken_files();
  const bool names_all = std::all_of(broken.begin(), broken.end(), [&](const std::string& path) {
    return message.find(path + ": ") != std::string::npos;
  });
  expect(names_all && message.find("on_error") != std::string::npos, message);
}

void check_ratio(const Folders& folders) {
  const std::string message = message_of([&] {
    const auto loader =
        open(folders.faults(), [](TrialSpec& spec) { spec.data.on_error = "replace"; });
    run_epoch(*loader);
  });
  expect(message.find("max_error_ratio") != std::string::npos, message);
}

void check_user_errors(const Folders& folders) {
  const fs::path images = folders.photos();
  const auto complaint = [&](const Change& change) {
    return message_of([&] { open(images, change); });
  };
  const std::string classes = complaint([](TrialSpec& spec) {
    spec.data.source = "image-folder";
    spec.workload.classes = 5;
  });
  expect(classes.find("4 classes") != std::string::npos, classes);
  const std::string source = complaint([](TrialSpec& spec) { spec.data.source = "tape"; });
  expect(source.find("tape") != std::string::npos, source);
  const std::string none = complaint([](TrialSpec& spec) {
    spec.data.drop_last = true;
    spec.knobs["batch_size"] = std::int64_t{97};
  });
  expect(none.find("no batch") != std::string::npos, none);
  const std::string missing = complaint([](TrialSpec& spec) { spec.data.path += "-gone"; });
  expect(missing.find("-gone") != std::string::npos, missing);
}

// A file of another type is not loaded, but reported.
void check_skipped(const Folders& folders) {
  const fs::path root = folders.cache / ("own-" + std::to_string(getpid()));
  fs::copy(folders.photos(), root, fs::copy_options::recursive);
  fs::remove(root / "manifest.txt");
  std::ofstream(fs::directory_iterator(root)->path() / "notes.txt") << "no image\n";
  const auto report =
      open(root, [](TrialSpec& spec) { spec.data.source = "image-folder"; })->report();
  fs::remove_all(root);
  expect_equal(report.skipped_types.size(), 1U, "skipped types");
  expect_equal(report.skipped_types.front(), "1 .txt", "skipped type");
}

}  // namespace

void add_fault_checks(std::map<std::string, Check>& checks) {
  checks["broken-files-are-replaced"] = check_replace;
  checks["broken-files-become-zero"] = check_zero;
  checks["broken-files-end-the-trial"] = check_fail;
  checks["replacement-is-deterministic"] = check_replacement_is_deterministic;
  checks["too-many-broken-files-end-the-trial"] = check_ratio;
  checks["user-errors-are-sentences"] = check_user_errors;
  checks["other-types-are-counted"] = check_skipped;
}

}  // namespace data_check
