#include "base/sha256.h"

#include "base/error.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <unistd.h>

namespace tune {
namespace {

constexpr const char* kOfAbc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

TEST(Sha256, AgreesWithThePublishedExamples) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), kOfAbc);
}

TEST(Sha256, OfAFileIsThatOfItsBytesWhateverItsSize) {
  const auto path =
      std::filesystem::temp_directory_path() / ("sha256_test." + std::to_string(getpid()));
  const std::string bytes(700'001, 'x');  // several blocks and a rest
  std::ofstream(path, std::ios::binary) << bytes;
  EXPECT_EQ(sha256_file_hex(path), sha256_hex(bytes));
  std::ofstream(path, std::ios::binary) << "abc";
  EXPECT_EQ(sha256_file_hex(path), kOfAbc);
  std::filesystem::remove(path);
}

TEST(Sha256, AMissingFileOrAFolderIsAnErrorThatNamesIt) {
  try {
    sha256_file_hex("/no/such/file");
    FAIL() << "did not throw";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("/no/such/file"), std::string::npos) << error.what();
  }
  EXPECT_THROW(sha256_file_hex("/"), Error);
}

// Not wrong input: the same file may be read the next time.
TEST(Sha256, OfAFileThatTheMachineCannotReadIsTheMachinesFault) {
  EXPECT_THROW(sha256_file_hex("/proc/self/mem"), MachineError);  // EIO at address 0
  try {
    sha256_file_hex("/nowhere/file");
  } catch (const MachineError& error) {
    ADD_FAILURE() << error.what();
  } catch (const Error&) {
  }
}

}  // namespace
}  // namespace tune
