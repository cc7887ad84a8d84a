#include "measure/revision/submodules.h"

#include "measure/revision/repository.h"
#include "measure/revision/workshop.h"
#include "scratch_clone.h"

namespace tune::revision {
namespace {

namespace fs = std::filesystem;

// A library with a part of its own, in the clone since its second commit and newer in its third.
class Submodules : public ScratchClone {
 protected:
  void SetUp() override {
    ScratchClone::SetUp();
    if (IsSkipped()) {
      return;
    }
    ASSERT_EQ(
        sh("set -e; allow='-c protocol.file.allow=always'; cd ..\n"
           "git init -q -b main part && cd part && echo part >p && git add . && git commit -qm p\n"
           "cd .. && git init -q -b main library && cd library && echo one >l && git add .\n"
           "git $allow submodule --quiet add ../part inner && git commit -qm one\n"
           "cd ../clone && git $allow submodule --quiet add ../library third/library\n"
           "git $allow submodule --quiet update --init --recursive && git commit -qm third\n"
           "cd third/library && echo two >l && git commit -qam two && cd ../..\n"
           "git commit -qam fourth"),
        "[0]");
  }

  // The text of the library's file in the tree of a commit.
  std::string built(const std::string& name) {
    WorkshopSettings settings;
    settings.repository = repository();
    settings.folder = folder_ / "cache";
    Workshop workshop(std::move(settings));
    workshop.make("baseline",
                  {.revision = {.commit = commit(name), .words = name},
                   .folder = "",
                   .command = "git submodule --quiet update --init --recursive && "
                              "cat third/library/l third/library/inner/p >built"});
    workshop.enter("baseline");
    EXPECT_FALSE(fs::exists(workshop.tree() / "third/library/.git"));
    EXPECT_FALSE(fs::exists(workshop.tree() / "third/library/inner/.git"));
    return text_of(workshop.tree() / "built");
  }
};

TEST_F(Submodules, AreThoseOfTheCommitAndSoAreTheirs) {
  EXPECT_EQ(built("HEAD"), "two\npart\n");
  EXPECT_EQ(built("HEAD~1"), "one\npart\n");
  EXPECT_EQ(sh("git status --porcelain && git worktree list | wc -l"), "1\n[0]")
      << "the clone is as it was";
}

TEST_F(Submodules, OfALinkedWorkingTreeAreFound) {
  ASSERT_EQ(sh("git worktree add -q --detach ../linked HEAD~1 && cd ../linked && "
               "git -c protocol.file.allow=always submodule --quiet update --init --recursive && "
               "rm -rf ../clone/.git/modules"),
            "[0]");
  const fs::path tree = folder_ / "tree";
  ASSERT_EQ(sh("git worktree add -q --detach " + tree.string() + " HEAD~1"), "[0]");
  Repository linked = repository();
  linked.top = folder_ / "linked";
  EXPECT_EQ(check_out_submodules(linked, tree), "");
  EXPECT_EQ(text_of(tree / "third/library/inner/p"), "part\n");
}

TEST_F(Submodules, ACommitThatTheCloneLacksIsFetched) {
  ASSERT_EQ(sh("set -e; cd ../library && echo three >l && git commit -qam three\n"
               "hash=$(git rev-parse HEAD) && cd ../clone\n"
               "git update-index --cacheinfo 160000,$hash,third/library && git commit -qm fifth"),
            "[0]");
  EXPECT_EQ(built("HEAD"), "three\npart\n");
}

TEST_F(Submodules, ACommitThatIsNowhereIsNamed) {
  ASSERT_EQ(sh("git update-index --cacheinfo 160000,1234567890123456789012345678901234567890,"
               "third/library && git commit -qm lost"),
            "[0]");
  try {
    built("HEAD");
    FAIL();
  } catch (const BuildFailed& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("submodule third/library: its commit 123456789012 is not in this clone"),
              std::string::npos)
        << text;
  }
}

TEST_F(Submodules, OneThatTheCloneNeverHadIsLeftEmpty) {
  ASSERT_EQ(sh("git submodule --quiet deinit --force --all && rm -rf .git/modules"), "[0]");
  const fs::path tree = folder_ / "tree";
  ASSERT_EQ(sh("git worktree add -q --detach " + tree.string() + " HEAD"), "[0]");
  EXPECT_EQ(check_out_submodules(repository(), tree), "");
  EXPECT_TRUE(fs::is_empty(tree / "third/library"));
}

TEST_F(Submodules, APathThatLeadsOutOfTheTreeIsNotFollowed) {
  ASSERT_EQ(sh("git config --file .gitmodules submodule.third/library.path ../outside && "
               "git commit -qam bad"),
            "[0]");
  const fs::path tree = folder_ / "tree";
  ASSERT_EQ(sh("git worktree add -q --detach " + tree.string() + " HEAD"), "[0]");
  EXPECT_EQ(check_out_submodules(repository(), tree), "");
  EXPECT_FALSE(fs::exists(folder_ / "outside"));
}

}  // namespace
}  // namespace tune::revision
