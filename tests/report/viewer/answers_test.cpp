#include "report/viewer/answers.h"

#include "trace_file.h"

#include <sys/stat.h>

namespace tune::viewer {

namespace {

namespace fs = std::filesystem;

class FilesToServe : public TraceFiles {};

TEST_F(FilesToServe, AreNamedFromTheFolderOn) {
  fs::create_directories(folder_ / "trials/r1-c07");
  write("report.html", "<p/>");
  write("trials/r1-c07/reply.json", "{}");
  const std::map<std::string, fs::path> expected = {
      {"report.html", folder_ / "report.html"},
      {"trials/r1-c07/reply.json", folder_ / "trials/r1-c07/reply.json"}};
  EXPECT_EQ(files_to_serve(folder_), expected);
}

TEST_F(FilesToServe, NeverLeadOutOfTheFolder) {
  const fs::path inside = folder_ / "run";
  fs::create_directories(inside / ".git");
  fs::create_directories(folder_ / "private");
  write("private/key", "secret");
  write("run/.git/config", "hidden");
  write("run/.hidden", "hidden");
  fs::create_symlink("../private/key", inside / "link");
  fs::create_directory_symlink("../private", inside / "folder");
  ASSERT_EQ(mkfifo((inside / "fifo").c_str(), 0600), 0);
  EXPECT_TRUE(files_to_serve(inside).empty());
}

TEST_F(FilesToServe, AreNoneWhereThereIsNoFolder) {
  EXPECT_TRUE(files_to_serve(folder_ / "none").empty());
  EXPECT_TRUE(files_to_serve(write("file", "text")).empty());
}

TEST(MediaType, FollowsFromTheName) {
  EXPECT_EQ(media_type("report.html"), "text/html; charset=utf-8");
  EXPECT_EQ(media_type("result.json"), "application/json");
  EXPECT_EQ(media_type("ledger.jsonl"), "text/plain; charset=utf-8");
  EXPECT_EQ(media_type("trials/r1-c07/trace.json.gz"), "application/gzip");
  EXPECT_EQ(media_type("spec"), "application/octet-stream");
}

}  // namespace

}  // namespace tune::viewer
