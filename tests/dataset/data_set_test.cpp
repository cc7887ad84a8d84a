#include "dataset/data_set.h"

#include "base/error.h"
#include "dataset/data_cache.h"
#include "dataset/image_folder.h"
#include "dataset/manifest.h"
#include "scratch_folder.h"

#include <gtest/gtest.h>

#include <array>
#include <csignal>
#include <stdexcept>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace tune::dataset {

namespace {

namespace fs = std::filesystem;

const GeneratedSpec kTiny = {.profile = "tiny", .samples = 40, .classes = 7, .seed = 5};

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    names.push_back(entry.path().filename().string());
  }
  return names;
}

TEST(DataSet, IsAFolderOfClassesWithAManifest) {
  const ScratchFolder cache;
  const DataSet set = make_generated(kTiny, cache.path());
  EXPECT_EQ(set.root, cache.path() / "data" / ("tiny-40-7c-seed5-jpeg" + jpeg_version()));
  EXPECT_EQ(set.samples, 40);
  EXPECT_EQ(set.classes, 7);
  const ImageFolder folder = read_image_folder(set.root);
  EXPECT_EQ(folder.classes.size(), 7U);
  ASSERT_EQ(folder.files.size(), 40U);
  std::int64_t bytes = 0;
  for (const ImageFile& file : folder.files) {
    const std::int64_t index = std::stoll(file.path.substr(file.path.find('/') + 1));
    EXPECT_EQ(file.label, index % 7);
    EXPECT_EQ(file.path, image_path(kTiny, index));
    bytes += file.bytes;
  }
  EXPECT_EQ(set.bytes, bytes);
  EXPECT_EQ(names_in(cache.path() / "data").size(), 1U) << "neither draft nor lock is left";
}

TEST(DataSet, IsTheSameForAnyNumberOfThreads) {
  const ScratchFolder one;
  const ScratchFolder four;
  const DataSet a = make_generated(kTiny, one.path(), {}, 1);
  const DataSet b = make_generated(kTiny, four.path(), {}, 4);
  EXPECT_EQ(a.manifest_sha256, b.manifest_sha256);
  for (std::int64_t i = 0; i < kTiny.samples; ++i) {
    EXPECT_EQ(slurp(a.root / image_path(kTiny, i)), slurp(b.root / image_path(kTiny, i)));
  }
}

TEST(DataSet, IsMadeOnce) {
  const ScratchFolder cache;
  const DataSet first = make_generated(kTiny, cache.path());
  const auto written = fs::last_write_time(first.root / kManifestName);
  const DataSet second = make_generated(kTiny, cache.path());
  EXPECT_EQ(fs::last_write_time(second.root / kManifestName), written);
  EXPECT_EQ(second.manifest_sha256, first.manifest_sha256);
  EXPECT_EQ(find_generated(kTiny, cache.path())->bytes, first.bytes);
  GeneratedSpec other = kTiny;
  other.seed = 6;
  EXPECT_EQ(find_generated(other, cache.path()), std::nullopt);
  EXPECT_NE(make_generated(other, cache.path()).manifest_sha256, first.manifest_sha256);
}

TEST(DataSet, IsMadeAgainWhenItIsDamaged) {
  const ScratchFolder cache;
  const DataSet set = make_generated(kTiny, cache.path());
  const std::string before = slurp(set.root / image_path(kTiny, 3));
  fs::resize_file(set.root / image_path(kTiny, 3), 10);
  EXPECT_EQ(find_generated(kTiny, cache.path()), std::nullopt);
  EXPECT_EQ(make_generated(kTiny, cache.path()).manifest_sha256, set.manifest_sha256);
  EXPECT_EQ(slurp(set.root / image_path(kTiny, 3)), before);
}

TEST(DataSet, LeavesNothingWhenMakingIsGivenUp) {
  const ScratchFolder cache;
  GeneratedSpec large = kTiny;
  large.profile = "imagenet";
  large.samples = 5000;
  const OnProgress give_up = [](const MakingProgress& progress) {
    EXPECT_EQ(progress.total, 5000);
    throw std::runtime_error("interrupted");
  };
  EXPECT_EQ(complaint_of([&] { make_generated(large, cache.path(), give_up, 2); }), "interrupted");
  EXPECT_TRUE(names_in(cache.path() / "data").empty());
}

pid_t start_making(const GeneratedSpec& spec, const fs::path& cache) {
  const pid_t child = fork();
  if (child == 0) {
    make_generated(spec, cache, {}, 2);
    _exit(0);
  }
  return child;
}

TEST(DataSet, CleansUpAfterAMakerThatWasKilled) {
  const ScratchFolder cache;
  GeneratedSpec spec = kTiny;
  spec.samples = 100'000;
  const pid_t maker = start_making(spec, cache.path());
  const fs::path draft = draft_folder_of(cache.path() / "data" / set_name(spec));
  while (!fs::exists(draft / image_path(spec, 0))) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_TRUE(list_leftovers(cache.path()).empty()) << "it is being made";
  kill(maker, SIGKILL);
  waitpid(maker, nullptr, 0);
  EXPECT_EQ(find_generated(spec, cache.path()), std::nullopt);
  EXPECT_TRUE(list_sets(cache.path()).empty());
  EXPECT_EQ(list_leftovers(cache.path()), std::vector{draft});
  remove_leftovers(cache.path());
  EXPECT_FALSE(fs::exists(draft));
}

TEST(DataSet, IsMadeByOneOfTwoProcesses) {
  const ScratchFolder cache;
  const std::array makers = {start_making(kTiny, cache.path()), start_making(kTiny, cache.path())};
  for (const pid_t maker : makers) {
    int status = -1;
    waitpid(maker, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_TRUE(find_generated(kTiny, cache.path()).has_value());
  EXPECT_TRUE(list_leftovers(cache.path()).empty());
}

TEST(DataSet, IsMadeByOneOfTwoThreads) {
  const ScratchFolder cache;
  std::array<std::string, 2> hashes;
  std::thread other([&] { hashes[0] = make_generated(kTiny, cache.path()).manifest_sha256; });
  hashes[1] = make_generated(kTiny, cache.path()).manifest_sha256;
  other.join();
  EXPECT_EQ(hashes[0], hashes[1]);
  EXPECT_EQ(names_in(cache.path() / "data").size(), 1U);
}

TEST(DataSet, RefusesAWrongSpec) {
  const ScratchFolder cache;
  const auto complaint = [&](GeneratedSpec spec) {
    return complaint_of([&] { make_generated(spec, cache.path()); });
  };
  EXPECT_EQ(complaint({.profile = "imagnet"}),
            "data: unknown data profile 'imagnet' (there are imagenet, tiny, faults) imagenet?");
  EXPECT_EQ(complaint({.samples = 0}), "data: the number of samples is 0 (must be 1 to 10000000)");
  EXPECT_EQ(complaint({.classes = 100'001}),
            "data: the number of classes is 100001 (must be 1 to 100000)");
  EXPECT_TRUE(names_in(cache.path()).empty());
}

TEST(DataSet, RefusesWhatDoesNotFitOnTheDisk) {
  const ScratchFolder cache;
  const GeneratedSpec huge = {.samples = kMostSamples};
  if (fs::space(cache.path()).available > static_cast<std::uintmax_t>(estimated_bytes(huge))) {
    GTEST_SKIP() << "more than a terabyte is free here";
  }
  const std::string complaint = complaint_of([&] { make_generated(huge, cache.path()); });
  EXPECT_PRED2(contains, complaint, "there is no room for the data set imagenet-10000000");
  EXPECT_PRED2(contains, complaint, "are free");
  EXPECT_TRUE(names_in(cache.path() / "data").empty());
}

TEST(DataSet, NamesACacheThatCannotBeMade) {
  const ScratchFolder cache;
  cache.write("data");  // a file in its place
  EXPECT_PRED2(contains,
               complaint_of([&] { make_generated(kTiny, cache.path()); }),
               (cache.path() / "data").string());
}

TEST(DataSet, OfFaultsKeepsTheFilesMode) {
  const ScratchFolder cache;
  const GeneratedSpec spec = {.profile = "faults", .samples = 64, .classes = 4};
  const DataSet set = make_generated(spec, cache.path());
  const Manifest manifest = parse_manifest(read_manifest_text(set.root), "m");
  for (std::int64_t i = 0; i < spec.samples; ++i) {
    const Fault fault = manifest.files.at(static_cast<std::size_t>(i)).fault;
    EXPECT_EQ(fault, fault_of(i));
    EXPECT_EQ(fs::status(set.root / image_path(spec, i)).permissions() == fs::perms::none,
              fault == Fault::unreadable);
  }
  EXPECT_TRUE(find_generated(spec, cache.path()).has_value());
}

TEST(DataSet, OfTheUserIsNamedByPathsAndSizes) {
  const ScratchFolder scratch;
  scratch.write("a/1.jpg", "123");
  scratch.write("b/2.jpg", "45");
  scratch.write("b/notes.txt");
  const DataSet set = describe_image_folder(scratch.path(), 2);
  EXPECT_EQ(set.samples, 2);
  EXPECT_EQ(set.bytes, 5);
  EXPECT_EQ(set.skipped, std::vector<std::string>{"1 .txt"});
  scratch.write("b/2.jpg", "54");
  EXPECT_EQ(describe_image_folder(scratch.path(), 2).manifest_sha256, set.manifest_sha256);
  scratch.write("b/2.jpg", "543");
  EXPECT_NE(describe_image_folder(scratch.path(), 2).manifest_sha256, set.manifest_sha256);
  EXPECT_EQ(complaint_of([&] { describe_image_folder(scratch.path(), 10); }),
            scratch.path().string() +
                ": has 2 classes (the scenario says 10; every sub-folder is a class) classes: 2?");
}

}  // namespace

}  // namespace tune::dataset
