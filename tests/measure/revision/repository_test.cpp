#include "measure/revision/repository.h"

#include "scratch_clone.h"

namespace tune::revision {
namespace {

using RepositoryTest = ScratchClone;

TEST_F(RepositoryTest, IsThatInWhichAFileLies) {
  const auto found = find_repository(clone() / "perf/a.yaml", nullptr);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->top, clone());
  EXPECT_EQ(found->common, clone() / ".git");
  EXPECT_FALSE(found->is_shallow);
  EXPECT_FALSE(find_repository(folder_ / "b.yaml", nullptr));
  EXPECT_FALSE(find_repository(folder_ / "nowhere/b.yaml", nullptr));
}

TEST_F(RepositoryTest, FindsCommitsByAllTheirNames) {
  sh("git tag -a -m v1 v1 HEAD~1");
  EXPECT_EQ(commit("HEAD").size(), 40U);
  EXPECT_EQ(commit("main"), commit("HEAD"));
  EXPECT_EQ(commit("v1"), commit("HEAD~1"));
  EXPECT_EQ(commit(commit("HEAD").substr(0, 10)), commit("HEAD"));
  for (const char* const name : {"", "nothing", "--all", "HEAD:perf/a.yaml", "HEAD~7"}) {
    EXPECT_EQ(commit(name), "none") << name;
  }
}

TEST_F(RepositoryTest, TheMergeBaseIsWhereMainAndHeadParted) {
  const std::string parting = commit("HEAD");
  sh("git checkout -qb change && git commit -q --allow-empty -m mine && git checkout -q main && "
     "git commit -q --allow-empty -m theirs && git checkout -q change");
  const Revision base = merge_base_with_main(repository());
  EXPECT_EQ(base.commit, parting);
  EXPECT_EQ(base.words, "the merge base with main");
}

TEST_F(RepositoryTest, OriginsMainBranchComesBeforeAnOldOneOfOurs) {
  sh("git clone -q . ../other && cd ../other && git checkout -qb change && git branch -q -f main "
     "HEAD~1");
  const auto other = find_repository(folder_ / "other/perf/a.yaml", nullptr);
  ASSERT_TRUE(other);
  const Revision base = merge_base_with_main(*other);
  EXPECT_EQ(base.commit, commit("HEAD"));
  EXPECT_EQ(base.words, "the merge base with origin/main");
}

TEST_F(RepositoryTest, WithoutAMainBranchSaysWhatToDo) {
  sh("git branch -m main trunk");
  try {
    merge_base_with_main(repository());
    FAIL() << "a main branch was found";
  } catch (const Unavailable& error) {
    EXPECT_NE(std::string(error.what()).find("no main branch"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("--baseline REF"), std::string::npos);
  }
}

TEST_F(RepositoryTest, AShallowCloneHasNoMergeBaseToTrust) {
  ASSERT_EQ(sh("git clone -q --depth 1 \"file://$PWD\" ../cut"), "[0]");
  const auto cut = find_repository(folder_ / "cut/perf/a.yaml", nullptr);
  ASSERT_TRUE(cut);
  EXPECT_TRUE(cut->is_shallow);
  try {
    merge_base_with_main(*cut);
    FAIL() << "a merge base was found";
  } catch (const Unavailable& error) {
    EXPECT_NE(std::string(error.what()).find("shallow"), std::string::npos) << error.what();
  }
}

TEST_F(RepositoryTest, OnlyTrackedFilesCountAsChanged) {
  EXPECT_TRUE(changed_files(repository()).empty());
  sh("echo new >new.txt");
  EXPECT_TRUE(changed_files(repository()).empty());
  sh("echo three >perf/a.yaml && git add new.txt");
  EXPECT_EQ(changed_files(repository()).size(), 2U);
}

TEST_F(RepositoryTest, ReadsAFileOfACommit) {
  EXPECT_TRUE(holds_file(repository(), commit("HEAD"), "perf/a.yaml"));
  EXPECT_FALSE(holds_file(repository(), commit("HEAD"), "perf/b.yaml"));
  EXPECT_EQ(file_text(repository(), commit("HEAD~1"), "perf/a.yaml"), "one\n");
  EXPECT_THROW(file_text(repository(), commit("HEAD"), "perf/b.yaml"), Unavailable);
}

TEST(Revision, SaysItsNameAndTheBeginOfItsHash) {
  const std::string hash = "0123456789abcdef0123456789abcdef01234567";
  EXPECT_EQ((Revision{.commit = hash, .words = "origin/main"}.text()),
            "origin/main at 0123456789ab");
  EXPECT_EQ((Revision{.commit = hash, .words = hash.substr(0, 7)}.text()), "0123456789ab");
}

}  // namespace
}  // namespace tune::revision
