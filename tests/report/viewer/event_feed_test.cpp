#include "report/viewer/event_feed.h"

#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <vector>

namespace tune::viewer {

namespace {

using Reader = EventFeed::Reader;

TEST(EventFeed, GivesTheNewestStateOnceAndSkipsThoseBetween) {
  EventFeed feed;
  feed.publish("one");
  feed.publish("two");
  Reader reader(feed);
  EXPECT_EQ(reader.next(), "two");
  feed.publish("three");
  feed.close();
  EXPECT_EQ(reader.next(), "three");
  EXPECT_EQ(reader.next(), std::nullopt);
}

TEST(EventFeed, WakesAReaderThatWaits) {
  EventFeed feed;
  Reader reader(feed);
  std::vector<std::string> seen;
  std::thread follower([&] {
    while (const auto state = reader.next()) {
      seen.push_back(*state);
    }
  });
  feed.publish("only");
  feed.close();
  follower.join();
  EXPECT_EQ(seen, std::vector<std::string>{"only"});
}

TEST(EventFeed, EndsReadersThatNeverGotAnything) {
  EventFeed feed;
  Reader before(feed);
  feed.close();
  Reader after(feed);
  EXPECT_EQ(before.next(), std::nullopt);
  EXPECT_EQ(after.next(), std::nullopt);
}

TEST(EventFeed, CountsItsReaders) {
  EventFeed feed;
  EXPECT_EQ(feed.readers(), 0U);
  {
    const Reader one(feed);
    const Reader two(feed);
    EXPECT_EQ(feed.readers(), 2U);
  }
  EXPECT_EQ(feed.readers(), 0U);
}

TEST(EventFeed, LetsTheFirstGoWhereThereAreTooMany) {
  EventFeed feed;
  feed.publish("state");
  std::vector<std::unique_ptr<Reader>> readers;
  for (std::size_t i = 0; i <= EventFeed::kMostReaders; ++i) {
    readers.push_back(std::make_unique<Reader>(feed));
  }
  EXPECT_EQ(feed.readers(), EventFeed::kMostReaders);
  EXPECT_EQ(readers.front()->next(), std::nullopt);
  readers.erase(readers.begin());
  EXPECT_EQ(feed.readers(), EventFeed::kMostReaders);
  for (const auto& reader : readers) {
    EXPECT_EQ(reader->next(), "state");
  }
}

TEST(WorkShare, BeginsAtOnceAndThenRestsAsLongAsTheShareSays) {
  WorkShare share(0.05);
  EXPECT_TRUE(share.may_begin(-5));
  share.took(0, 100);
  EXPECT_FALSE(share.may_begin(100));
  EXPECT_FALSE(share.may_begin(1'990));
  EXPECT_TRUE(share.may_begin(2'010));
}

TEST(WorkShare, NeverRestsWhereAllOfTheTimeIsItsOwn) {
  WorkShare share(1);
  share.took(0, 100);
  EXPECT_TRUE(share.may_begin(100));
}

}  // namespace

}  // namespace tune::viewer
