#include "data_check.h"
#include "trial/worker_lines.h"
#include "worker/data/normalize.h"

#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <set>
#include <thread>
#include <unistd.h>
#include <vector>

namespace data_check {

namespace {

using tune::trial::TrialSpec;
using tune::worker::Batch;
using tune::worker::Loader;

// A bit more than two epochs, to include short batches and epoch changes.
constexpr std::int64_t kBatches = 23;

Change with(const std::string& knob, tune::trial::KnobValue value) {
  return [=](TrialSpec& spec) { spec.knobs[knob] = value; };
}

// The bytes of a batch must depend only on (seed, epoch, sample), whoever makes them.
void check_same_batches(const Folders& folders) {
  const fs::path images = folders.photos();
  for (const std::string dtype : {"u8", "f32"}) {
    const std::uint64_t expected = hash_of(*open(images,
                                                 [&](TrialSpec& spec) {
                                                   spec.knobs["dtype"] = dtype;
                                                   spec.knobs["num_workers"] = std::int64_t{0};
                                                 }),
                                           kBatches);
    for (const std::string loader : {"ring", "libtorch"}) {
      for (const std::int64_t workers : {0, 1, 2, 8}) {
        const auto change = [&](TrialSpec& spec) {
          spec.knobs["dtype"] = dtype;
          spec.knobs["loader"] = loader;
          spec.knobs["num_workers"] = workers;
          spec.knobs["persistent_workers"] = workers == 2;
        };
        expect_equal(
            hash_of(*open(images, change), kBatches),
            expected,
            "hash of the batches: " + loader + ", " + dtype + ", " + std::to_string(workers));
      }
    }
  }
}

void check_prefetch(const Folders& folders) {
  const fs::path images = folders.photos();
  const std::uint64_t expected = hash_of(*open(images), kBatches);
  for (const std::int64_t prefetch : {1, 3, 4}) {
    expect_equal(hash_of(*open(images, with("prefetch_factor", prefetch)), kBatches),
                 expected,
                 "hash of the batches with prefetch_factor " + std::to_string(prefetch));
  }
}

void check_seeds_and_epochs(const Folders& folders) {
  const fs::path images = folders.photos();
  const auto loader = open(images);
  const std::uint64_t first_epoch = hash_of(*loader, loader->batches_per_epoch());
  const std::uint64_t second_epoch = hash_of(*loader, loader->batches_per_epoch());
  expect(first_epoch != second_epoch, "the second epoch differs from the first");
  const auto other = open(images, [](TrialSpec& spec) { spec.workload.seed = 8; });
  expect(hash_of(*other, other->batches_per_epoch()) != first_epoch, "another seed, other batches");
}

void check_epoch_shape(const Folders& folders) {
  const fs::path images = folders.photos();
  const auto keep = open(images);
  expect_equal(keep->batches_per_epoch(), 10, "batches of 96 samples");
  const auto drop = open(images, [](TrialSpec& spec) { spec.data.drop_last = true; });
  expect_equal(drop->batches_per_epoch(), 9, "batches of 96 samples with drop_last");
  for (std::int64_t i = 0; i < 2 * 10; ++i) {
    const Batch batch = keep->next();
    expect_equal(batch.epoch, i / 10, "epoch");
    expect_equal(batch.index, i % 10, "index in the epoch");
    expect_equal(batch.images.size(0), i % 10 == 9 ? 6 : 10, "images of the batch");
    expect_equal(batch.labels.size(0), batch.images.size(0), "labels of the batch");
    expect_equal(batch.images.size(2), 48, "height");
  }
  expect_equal(keep->report().samples, 2 * 96, "samples delivered");
  expect(keep->report().decode_ns > 0 && keep->report().bytes_read > 0, "stages are counted");
}

// The batches of an epoch, in any order.
std::multiset<std::uint64_t> hashes_of_epoch(Loader& loader) {
  std::multiset<std::uint64_t> hashes;
  for (std::int64_t i = 0; i < loader.batches_per_epoch(); ++i) {
    Hash hash;
    add_to(hash, loader.next());
    hashes.insert(hash.value());
  }
  return hashes;
}

void check_any_order(const Folders& folders) {
  const fs::path images = folders.photos();
  const auto ordered = open(images);
  const auto first = hashes_of_epoch(*ordered), second = hashes_of_epoch(*ordered);
  for (const std::string loader : {"ring", "libtorch"}) {
    for (const bool is_persistent : {false, true}) {
      const auto any = open(images, [&](TrialSpec& spec) {
        spec.knobs["loader"] = loader;
        spec.knobs["in_order"] = false;
        spec.knobs["num_workers"] = std::int64_t{4};
        spec.knobs["prefetch_factor"] = std::int64_t{4};
        spec.knobs["persistent_workers"] = is_persistent;
      });
      expect(hashes_of_epoch(*any) == first, loader + ": the same batches in the first epoch");
      expect(hashes_of_epoch(*any) == second, loader + ": the same batches in the second epoch");
    }
  }
}

void check_early_end(const Folders& folders) {
  const fs::path images = folders.photos();
  for (int i = 0; i < 50; ++i) {
    const auto loader = open(images, [&](TrialSpec& spec) {
      spec.knobs["loader"] = std::string(i % 5 == 4 ? "libtorch" : "ring");
      spec.knobs["num_workers"] = std::int64_t{i % 4};
      spec.knobs["in_order"] = i % 2 == 0;
      spec.knobs["persistent_workers"] = i % 3 == 0;
      spec.knobs["prefetch_factor"] = std::int64_t{1 + i % 3};
    });
    for (int k = 0; k < i * 7 % 13; ++k) {
      loader->next();
    }
    std::this_thread::sleep_for(std::chrono::microseconds(i * 997 % 20000));
  }
}

// A batch that is still held when the loader is destroyed keeps its memory.
void check_held_batches(const Folders& folders) {
  const fs::path images = folders.photos();
  auto loader = open(images);
  const Batch kept = loader->next();
  Hash before;
  add_to(before, kept);
  for (int i = 0; i < 12; ++i) {
    loader->next();
  }
  at::Tensor only_images = loader->next().images;  // the token is gone, the tensor holds the slot
  Batch third = loader->next();                    // two are loaded ahead, one is in use
  const std::string all_held = message_of([&] { loader->next(); });
  expect(all_held.find("held") != std::string::npos, "all slots held: " + all_held);
  third = Batch();
  loader.reset();
  Hash after;
  add_to(after, kept);
  expect_equal(after.value(), before.value(), "hash of the batch that was kept");
  expect(only_images.sum().item<double>() > 0, "images outlive their loader");
}

// Samples of complete and incomplete batches.
void check_stock(const Folders& folders) {
  const fs::path images = folders.photos();
  for (const std::string name : {"ring", "libtorch"}) {
    const auto loader = open(images, [&](TrialSpec& spec) {
      spec.knobs["loader"] = name;
      spec.knobs["prefetch_factor"] = std::int64_t{3};
    });
    const Batch in_use = loader->next();
    const std::int64_t most = name == "ring" ? 30 : 60;
    std::set<std::int64_t> seen;
    for (int i = 0; i < 50'000 && loader->samples_ahead() < most; ++i) {
      seen.insert(loader->samples_ahead() % 10);
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    expect_equal(loader->samples_ahead(), most, name + ": samples ahead without requests");
    expect(seen.size() > 1, name + ": incomplete batches count");
    const auto none = open(images, [&](TrialSpec& spec) {
      spec.knobs["loader"] = name;
      spec.knobs["num_workers"] = std::int64_t{0};
    });
    none->next();
    expect_equal(none->samples_ahead(), 0, name + ": samples ahead without workers");
  }
}

/// What the process prints to stderr meanwhile.
std::string stderr_of(const fs::path& file, const std::function<void()>& action) {
  const int kept = dup(STDERR_FILENO);
  std::FILE* const out = std::fopen(file.c_str(), "w");
  dup2(fileno(out), STDERR_FILENO);
  action();
  dup2(kept, STDERR_FILENO);
  close(kept);
  std::fclose(out);
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  fs::remove(file);
  return text.str();
}

// With almost no patience every wait is a long one.
void check_long_waits(const Folders& folders) {
  const fs::path images = folders.photos();
  for (const std::string name : {"ring", "libtorch"}) {
    for (const std::int64_t workers : {0, 2}) {
      const auto wait = [&](std::int64_t timeout_ns) {
        return stderr_of(folders.cache / ("stderr-" + std::to_string(getpid())), [&] {
          const auto loader = open(images, [&](TrialSpec& spec) {
            spec.knobs["loader"] = name;
            spec.knobs["num_workers"] = workers;
            spec.knobs["batch_size"] = std::int64_t{96};
            spec.timeout_ns = timeout_ns;
          });
          loader->next();
        });
      };
      const std::string said = wait(4'000'000);
      const std::string loader = name + ", " + std::to_string(workers) + " workers: ";
      expect(said.find(tune::trial::kStuckLine) == 0, loader + said);
      expect(said.find("ing " + (images / "class-").string()) != std::string::npos, loader + said);
      expect_equal(wait(60'000'000'000), "", loader + "printed although nothing hangs");
    }
  }
}

void check_niceness(const Folders& folders) {
  const auto loader = open(folders.photos(), with("worker_nice", std::int64_t{7}));
  loader->next();
  int nice_threads = 0;
  for (const auto& task : fs::directory_iterator("/proc/self/task")) {
    const std::string stat = [&] {
      std::stringstream text;
      text << std::ifstream(task.path() / "stat").rdbuf();
      return text.str();
    }();
    std::istringstream fields(stat.substr(std::min(stat.size(), stat.find(')') + 2)));
    std::string field;
    for (int i = 0; i < 17; ++i) {  // state is the third field of the line, nice the nineteenth
      fields >> field;
    }
    nice_threads += stat.find("(tune-load-") != std::string::npos && field == "7" ? 1 : 0;
  }
  expect_equal(nice_threads, 2, "loader threads at niceness 7");
}

// A loader thread must not reduce the training thread's intra-op threads, neither when it starts
// nor when LibTorch or our own parallel loops initialise later.
void check_threads_of_the_model(const Folders& folders) {
  at::set_num_threads(3);
  for (const std::string name : {"ring", "libtorch"}) {
    const auto loader = open(folders.photos(), with("loader", name));
    const Batch batch = loader->next();
    at::Tensor input = at::empty(batch.images.sizes(), at::kFloat);
    tune::worker::normalize_into(batch.images, input);
    expect_equal(at::get_num_threads(), 3, name + ": intra-op threads next to loader threads");
  }
}

void check_synthetic(const Folders&) {
  const auto change = [](TrialSpec& spec) {
    spec.data.source = "synthetic";
    spec.data.samples = 25;
  };
  const auto loader = open("", change), twin = open("", change);
  expect_equal(loader->batches_per_epoch(), 3, "batches of 25 samples");
  for (int i = 0; i < 3; ++i) {
    const Batch batch = loader->next();
    expect_equal(batch.images.size(0), i == 2 ? 5 : 10, "images of the batch");
    expect(batch.labels.max().item<std::int64_t>() < 4, "labels are classes");
    expect(batch.images.equal(twin->next().images), "the same for the same seed");
  }
}

}  // namespace

void add_batch_checks(std::map<std::string, Check>& checks) {
  checks["same-batches-for-every-number-of-workers"] = check_same_batches;
  checks["same-batches-for-every-prefetch-factor"] = check_prefetch;
  checks["seeds-and-epochs-differ"] = check_seeds_and_epochs;
  checks["epochs-have-their-shape"] = check_epoch_shape;
  checks["any-order-delivers-the-same-set"] = check_any_order;
  checks["early-end-does-not-hang"] = check_early_end;
  checks["held-batches-keep-their-memory"] = check_held_batches;
  checks["stock-is-counted"] = check_stock;
  checks["long-waits-are-explained"] = check_long_waits;
  checks["loader-threads-leave-the-model-its-threads"] = check_threads_of_the_model;
  checks["worker-nice-reaches-the-threads"] = check_niceness;
  checks["synthetic-batches"] = check_synthetic;
}

}  // namespace data_check
