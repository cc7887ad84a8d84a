#include "measure/revision/artefacts.h"

#include "base/sha256.h"

#include <gtest/gtest.h>

#include <fstream>
#include <unistd.h>

namespace tune::revision {
namespace {

namespace fs = std::filesystem;

class ArtefactsTest : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* const file : {"tree/perf/a.yaml",
                                   "tree/perf/model.pt",
                                   "tree/perf/build/libmodel.so",
                                   "tree/perf/build/notes.txt",
                                   "tree/lib/libpart.so.1",
                                   "tree/perf/params/a.json",
                                   "outside.pt"}) {
      fs::create_directories((folder_ / file).parent_path());
      std::ofstream(folder_ / file) << file;
    }
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string paths(const std::vector<std::string>& texts, bool is_built) const {
    std::string list;
    for (const auto& [path, sha256] :
         find_artefacts(folder_ / "tree", folder_ / "tree/perf", texts, is_built)) {
      EXPECT_EQ(sha256.size(), 64U);
      list += path + "\n";
    }
    return list;
  }

  const fs::path folder_ =
      fs::temp_directory_path() / ("artefacts_test." + std::to_string(getpid()));
};

TEST_F(ArtefactsTest, AreTheFilesThatAreNamed) {
  EXPECT_EQ(paths({"resnet18", "model.pt", "./model.pt", "", "train"}, false), "perf/model.pt\n");
  EXPECT_EQ(paths({"params"}, false), "perf/params/a.json\n");
  const std::string outside = (folder_ / "outside.pt").string();
  EXPECT_EQ(paths({outside}, false), outside + "\n");
  EXPECT_EQ(paths({"/", "../..", folder_.string()}, false), "");
}

TEST_F(ArtefactsTest, OfABuildAreAllSharedLibraries) {
  EXPECT_EQ(paths({"build/libmodel.so"}, true), "lib/libpart.so.1\nperf/build/libmodel.so\n");
  EXPECT_EQ(paths({"build/libmodel.so"}, false), "perf/build/libmodel.so\n");
}

TEST_F(ArtefactsTest, HaveTheHashOfTheirContents) {
  const Artefacts found =
      find_artefacts(folder_ / "tree", folder_ / "tree/perf", {"model.pt"}, false);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].second, sha256_hex("tree/perf/model.pt"));
}

}  // namespace
}  // namespace tune::revision
