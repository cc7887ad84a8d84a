// What readers.h lists, fed with its corpus and with that changed at random from fixed seeds.

#include "base/file.h"
#include "mutator.h"
#include "readers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

namespace tune::fuzz {

void PrintTo(const Reader& reader, std::ostream* out) {
  *out << reader.subject;
}

namespace {

namespace fs = std::filesystem;

// By name, so that a seed changes the same file everywhere.
std::vector<fs::path> corpus_of(const Reader& reader) {
  std::vector<fs::path> files;
  const fs::path folder = fs::path(SOURCE_DIR) / "tests/fuzz/corpus" / reader.subject;
  for (const auto& entry : fs::directory_iterator(folder)) {
    files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

class ReaderFuzz : public testing::TestWithParam<Reader> {};

// "bad-" are refused, the others read.
TEST_P(ReaderFuzz, TheCorpusAndItsMutationsAreReadOrRefused) {
  const Reader& reader = GetParam();
  Mutator mutator(1);
  int seen = 0;
  int refused = 0;
  for (const fs::path& file : corpus_of(reader)) {
    const std::string bytes = read_file(file);
    EXPECT_NE(reader.take_in(bytes), file.filename().string().starts_with("bad-")) << file;
    ++seen;
    for (int i = 0; i < 100; ++i) {
      refused += reader.take_in(mutator.mutate(bytes)) ? 0 : 1;
    }
  }
  EXPECT_GE(seen, 2);
  EXPECT_GT(refused, 0);  // the mutations do reach the checked code
}

INSTANTIATE_TEST_SUITE_P(Readers,
                         ReaderFuzz,
                         testing::ValuesIn(readers()),
                         [](const testing::TestParamInfo<Reader>& reader) {
                           std::string name(reader.param.subject);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace tune::fuzz
