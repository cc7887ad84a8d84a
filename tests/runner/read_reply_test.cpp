#include "runner/read_reply.h"

#include "../trial/sample_trial.h"
#include "base/machine_error.h"
#include "runner/classify.h"
#include "runner_fixture.h"

#include <sys/stat.h>

namespace tune::runner {
namespace {

namespace fs = std::filesystem;

class ReadReplyTest : public RunnerTest {
 protected:
  void SetUp() override {
    RunnerTest::SetUp();
    spec_.id = "r1-c07";
    fs::create_directories(spec_.folder);
    file_ = fs::path(spec_.folder) / "reply.json";
  }

  ReadReply read_text(const std::string& text) const {
    std::ofstream(file_, std::ios::binary | std::ios::trunc) << text;
    return read_reply(spec_);
  }

  std::string sample_ = trial::to_json(trial::sample_reply());
  fs::path file_;
};

TEST_F(ReadReplyTest, GivesTheReplyOfThisTrialOnly) {
  EXPECT_EQ(read_text(sample_).reply, trial::sample_reply());
  spec_.id = "r2-c07";
  const ReadReply read = read_text(sample_);
  EXPECT_FALSE(read.reply);
  EXPECT_EQ(read.problem, "id is that of another trial");
}

TEST_F(ReadReplyTest, TellsAMissingFileFromADamagedOne) {
  EXPECT_TRUE(read_reply(spec_).is_missing);
  fs::remove_all(spec_.folder);
  EXPECT_TRUE(read_reply(spec_).is_missing) << "nor is there a folder";
  const fs::path other = folder_ / "elsewhere";
  fs::create_directory_symlink(other, spec_.folder);
  EXPECT_TRUE(read_reply(spec_).is_missing) << "a link to nowhere";
  fs::create_directories(other);
  EXPECT_TRUE(read_text(sample_).reply) << "a trial may lie elsewhere";
}

// A disk that fails says nothing about the worker.
TEST_F(ReadReplyTest, WhatCannotBeReadNowIsNoReplyAtAll) {
  fs::create_symlink("/proc/self/mem", file_);  // EIO
  EXPECT_THROW(read_reply(spec_), MachineError);
  TrialOutcome outcome;
  EXPECT_THROW(classify(spec_, {.end = {}, .phase = "done"}, outcome), MachineError);
}

TEST_F(ReadReplyTest, NeverWaitsForWhatIsNoFile) {
  ASSERT_EQ(mkfifo(file_.c_str(), 0600), 0);
  EXPECT_EQ(read_reply(spec_).problem, "is not a file");
  fs::remove(file_);
  fs::create_directory(file_);
  EXPECT_EQ(read_reply(spec_).problem, "is not a file");
  fs::remove(file_);
  fs::create_symlink("reply.json", file_);  // to itself
  const ReadReply read = read_reply(spec_);
  EXPECT_FALSE(read.is_missing);
  EXPECT_NE(read.problem.find("cannot be read (Too many levels"), std::string::npos)
      << read.problem;
}

TEST_F(ReadReplyTest, DoesNotReadWhatIsFarTooLarge) {
  std::ofstream(file_) << "{";
  fs::resize_file(file_, std::uintmax_t{1} << 34U);  // sparse
  EXPECT_NE(read_reply(spec_).problem.find("is too large"), std::string::npos);
}

TEST_F(ReadReplyTest, WhereverItIsCutOffOrZeroedItIsDamaged) {
  for (std::size_t length = 0; length + 2 < sample_.size(); length += 7) {
    const ReadReply cut = read_text(sample_.substr(0, length));
    EXPECT_FALSE(cut.reply) << length;
    EXPECT_FALSE(cut.problem.empty() || cut.is_missing) << length;
    std::string zeroed = sample_;
    zeroed.replace(length, 2, 2, '\0');
    EXPECT_FALSE(read_text(zeroed).reply) << length;
  }
}

TEST_F(ReadReplyTest, SaysWhatIsWrongWithoutTheFileAndWithoutWhatATerminalObeys) {
  EXPECT_EQ(read_text("{}").problem, "protocol is missing");
  const std::string problem = read_text("{\"\\u001b[31m\": 1, \"\\u001b[31m\": 2}\x9b").problem;
  EXPECT_EQ(problem, "names '?[31m' twice in one object");
}

}  // namespace
}  // namespace tune::runner
