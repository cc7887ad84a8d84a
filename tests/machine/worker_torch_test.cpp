#include "machine/worker_torch.h"

#include "base/error.h"
#include "changing_root.h"
#include "small_program.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <elf.h>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <unistd.h>
#include <vector>

namespace tune::machine {

namespace {

namespace fs = std::filesystem;

class LibraryFolders : public testing::Test {
 protected:
  LibraryFolders()
      : folder_(fs::temp_directory_path() / ("library-folders-" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
  }
  ~LibraryFolders() override { fs::remove_all(folder_); }

  std::vector<fs::path> of(const std::string& bytes) {
    std::ofstream(folder_ / "program", std::ios::binary) << bytes;
    return library_folders(folder_ / "program");
  }

  fs::path folder_;
};

TEST_F(LibraryFolders, AreWhatIsWrittenIntoTheProgram) {
  const std::string texts = std::string("\0libc.so\0", 9) + "$ORIGIN:/opt/torch/lib:$ORIGIN/../x";
  EXPECT_EQ(of(small_program(texts, {{DT_RPATH, 9}})),
            (std::vector<fs::path>{folder_, "/opt/torch/lib", folder_.parent_path() / "x"}));
  EXPECT_EQ(of(small_program(texts, {{DT_RUNPATH, 9}})).size(), 3U);
}

TEST_F(LibraryFolders, AProgramNeedsTheLibrariesThatItNames) {
  const std::string texts("\0libc10.so\0libz.so.1", 20);
  std::ofstream(folder_ / "program", std::ios::binary)
      << small_program(texts, {{DT_NEEDED, 1}, {DT_RPATH, 0}, {DT_NEEDED, 11}});
  EXPECT_TRUE(needs_library(folder_ / "program", "libc10.so"));
  EXPECT_TRUE(needs_library(folder_ / "program", "libz.so.1"));
  EXPECT_FALSE(needs_library(folder_ / "program", "libz.so"));
  EXPECT_FALSE(needs_library(folder_ / "absent", "libz.so.1"));
}

TEST_F(LibraryFolders, AreNoneOfWhatIsNoProgramOrHasNone) {
  EXPECT_TRUE(library_folders(folder_ / "absent").empty());
  EXPECT_TRUE(of("").empty());
  EXPECT_TRUE(of("#!/bin/sh\n").empty());
  EXPECT_TRUE(of(small_program("x", {{DT_NEEDED, 0}})).empty());
  const std::string whole = small_program("/opt", {{DT_RPATH, 0}});
  for (std::size_t size = 0; size + 8 < whole.size(); size += 7) {
    of(whole.substr(0, size));  // whatever it says, it returns
  }
  std::string hostile = whole;
  hostile.replace(offsetof(Elf64_Ehdr, e_phoff), 8, std::string(8, '\xff'));
  EXPECT_TRUE(of(hostile).empty());
  EXPECT_TRUE(of(small_program("/opt", {{DT_RPATH, ~std::uint64_t{0}}})).empty());
}

// A variable that is set for one test.
class Variable {
 public:
  explicit Variable(const char* name) : name_(name) {
    if (const char* const value = std::getenv(name)) {
      before_ = value;
    }
    unsetenv(name);
  }
  ~Variable() { before_ ? setenv(name_, before_->c_str(), 1) : unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  void set(const fs::path& value) const { setenv(name_, value.c_str(), 1); }

 private:
  const char* name_;
  std::optional<std::string> before_;
};

class WorkerTorchTest : public ChangingRoot {
 protected:
  void SetUp() override {
    cache_.set(root_ / "cache");
    write_worker("");
  }

  fs::path worker() const { return root_ / "usr/bin/tune-worker"; }

  void write_worker(const std::string& rpath) const {
    const std::string needed = std::string("libtorch_cpu.so") + '\0';
    write("usr/bin/tune-worker",
          rpath.empty() ? small_program(needed, {{DT_NEEDED, 0}})
                        : small_program(needed + rpath, {{DT_NEEDED, 0}, {DT_RPATH, 16}}));
  }

  // A LibTorch as wheels unpack it.
  void write_torch(const std::string& folder, const std::string& minor = "11") const {
    write(folder + "/torch/lib/libtorch_cpu.so", "");
    write(folder + "/torch/include/torch/headeronly/version.h",
          "#define TORCH_VERSION_MAJOR 2\n#define TORCH_VERSION_MINOR " + minor + "\n");
  }

  std::string complaint() const {
    try {
      return "none: " + torch_of_worker(worker()).folder.string();
    } catch (const Error& error) {
      return error.what();
    }
  }

  const Variable cache_{"TUNE_CACHE_DIR"}, torch_{"TUNE_TORCH_DIR"};
};

TEST_F(WorkerTorchTest, AProgramThatDoesNotNeedItGetsNone) {
  torch_.set(root_ / "absent");
  write("usr/bin/tune-worker", "#!/bin/sh\n");
  EXPECT_EQ(torch_of_worker(worker()).folder, "");
  EXPECT_TRUE(torch_of_worker(worker()).library_folders.empty());
}

TEST_F(WorkerTorchTest, AWorkerThatNamesItsOwnKeepsIt) {
  write_torch("built");
  write_torch("named");
  write_worker("/absent:" + (root_ / "built/torch/lib").string());
  torch_.set(root_ / "named");
  const WorkerTorch torch = torch_of_worker(worker());
  EXPECT_EQ(torch.folder, root_ / "built/torch/lib");
  EXPECT_TRUE(torch.library_folders.empty());
}

TEST_F(WorkerTorchTest, AnInstalledOneGetsWhatIsNamedThenTheCachesThenThatOfTheBuild) {
  write_torch("built");
  write("usr/lib/tune/torch-folder", (root_ / "built/torch").string() + "\n");
  EXPECT_EQ(torch_of_worker(worker()).folder, root_ / "built/torch/lib");

  write_torch("cache/torch-2.11.0-cpu");
  EXPECT_EQ(torch_of_worker(worker()).folder, root_ / "built/torch/lib") << "half unpacked";
  write("cache/torch-2.11.0-cpu/complete", "");
  EXPECT_EQ(torch_of_worker(worker()).folder, root_ / "cache/torch-2.11.0-cpu/torch/lib");
  write_torch("cache/torch-2.11.0-cuda");
  write("cache/torch-2.11.0-cuda/complete", "");
  EXPECT_EQ(torch_of_worker(worker()).folder, root_ / "cache/torch-2.11.0-cuda/torch/lib");

  write_torch("named");
  for (const char* const folder : {"named", "named/torch"}) {
    torch_.set(root_ / folder);
    EXPECT_EQ(torch_of_worker(worker()).folder, root_ / "named/torch/lib") << folder;
  }
}

TEST_F(WorkerTorchTest, CudasLibrariesBesideItAreLookedForAfterItsOwn) {
  write_torch("named");
  torch_.set(root_ / "named");
  const fs::path own = root_ / "named/torch/lib";
  EXPECT_EQ(torch_of_worker(worker()).library_folders, std::vector<fs::path>{own});
  write("named/nvidia/cu13/lib/libcudart.so.13", "");
  EXPECT_EQ(torch_of_worker(worker()).library_folders,
            (std::vector<fs::path>{own, root_ / "named/nvidia/cu13/lib"}));
}

TEST_F(WorkerTorchTest, NoneAnotherVersionOrAnUnusablePathIsASentence) {
  const std::string cache = (root_ / "cache").string(), named = (root_ / "named").string();
  EXPECT_EQ(complaint(),
            "tune-worker: no LibTorch 2.11 (neither TUNE_TORCH_DIR nor " + cache +
                "/torch-2.11.0-cpu) Name its folder with TUNE_TORCH_DIR?");
  torch_.set(named);
  EXPECT_EQ(complaint(),
            "TUNE_TORCH_DIR=" + named +
                ": no LibTorch (neither lib/libtorch_cpu.so nor torch/lib/libtorch_cpu.so) Name "
                "the folder of LibTorch 2.11?");
  write_torch("named", "9");
  EXPECT_EQ(complaint(),
            "TUNE_TORCH_DIR=" + named +
                ": LibTorch 2.9 (tune is built for 2.11) Name the folder of LibTorch 2.11?");
  write_torch("named", "110");
  EXPECT_NE(complaint().find("LibTorch 2.110 (tune"), std::string::npos) << complaint();
  write("named/torch/include/torch/headeronly/version.h", "");
  EXPECT_NE(complaint().find("LibTorch of an unknown version"), std::string::npos) << complaint();
  write("named/torch/version.py", "__all__ = []\n__version__ = '2.11.0+cpu'\n");
  EXPECT_EQ(complaint(), "none: " + named + "/torch/lib") << "without headers";
  write_torch("a:b");
  torch_.set(root_ / "a:b");
  EXPECT_NE(complaint().find("colons and semicolons separate folders"), std::string::npos)
      << complaint();
}

TEST(TorchVersions, AreSupportedFromTheOldestToTheNewest) {
  for (const char* const version : {"2.8", "2.8.0", "2.9.1+cu128", "2.10.0", "2.11.0"}) {
    EXPECT_TRUE(is_torch_supported(version)) << version;
  }
  for (const char* const version : {"", "2", "2.", "2.7.1", "2.12.0", "2.110.0", "1.8", "22.8"}) {
    EXPECT_FALSE(is_torch_supported(version)) << version;
  }
}

// A LibTorch that the worker was built with but that was replaced since does not count.
TEST_F(WorkerTorchTest, ThatOfTheBuildMustStillBeOne) {
  write("usr/lib/tune/torch-folder", (root_ / "built/torch").string() + "\n");
  EXPECT_NE(complaint().find("no LibTorch 2.11"), std::string::npos);
  write_torch("built", "12");
  EXPECT_NE(complaint().find("no LibTorch 2.11"), std::string::npos);
}

}  // namespace

}  // namespace tune::machine
