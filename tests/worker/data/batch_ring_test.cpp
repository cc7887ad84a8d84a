#include "worker/data/batch_ring.h"

#include "worker/data/random_stream.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <latch>
#include <limits>
#include <new>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>

namespace tune::worker {
namespace {

using Make = std::function<MadeSample(const Ticket&)>;

constexpr std::int64_t kEndless = std::numeric_limits<std::int64_t>::max();

ImageSamples samples_of(std::int64_t count, std::int64_t batch_size) {
  ImageSamples samples;
  samples.folder.files.resize(static_cast<std::size_t>(count));
  samples.options.batch_size = batch_size;
  samples.image_size = 2;  // 12 bytes an image: room for the sample's number
  samples.seed = 5;
  samples.batches_per_epoch = (count + batch_size - 1) / batch_size;
  return samples;
}

// The "image" is the number of its sample and epoch.
MadeSample make_number(const Ticket& ticket) {
  const auto epoch = static_cast<std::int32_t>(ticket.epoch);
  std::memcpy(ticket.out, &ticket.sample, sizeof(ticket.sample));
  std::memcpy(ticket.out + sizeof(ticket.sample), &epoch, sizeof(epoch));
  return {ticket.sample, std::nullopt};
}

/// The threads of a loader.
class Crew {
 public:
  Crew(BatchRing& ring, int threads, const Make& make = make_number) : ring_(ring) {
    for (int i = 0; i < threads; ++i) {
      threads_.emplace_back([&ring, make] { ring.work(make); });
    }
  }
  ~Crew() {
    if (!threads_.empty()) {
      ring_.stop();
      join();
    }
  }
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  void join() {
    for (std::thread& thread : threads_) {
      thread.join();
    }
    threads_.clear();
  }

 private:
  BatchRing& ring_;
  std::vector<std::thread> threads_;
};

std::vector<std::int64_t> numbers_in(const ReadyBatch& batch) {
  std::vector<std::int64_t> numbers;
  for (std::size_t i = 0; i < batch.labels.size(); ++i) {
    std::int64_t sample = -1;
    std::int32_t epoch = -1;
    std::memcpy(&sample, batch.pixels + 12 * i, sizeof(sample));
    std::memcpy(&epoch, batch.pixels + 12 * i + sizeof(sample), sizeof(epoch));
    EXPECT_EQ(epoch, batch.epoch);
    EXPECT_EQ(sample, batch.labels[i]) << "label and pixels belong together";
    numbers.push_back(sample);
  }
  return numbers;
}

template <class Condition>
bool comes_true(Condition condition) {
  for (int i = 0; i < 20'000 && !condition(); ++i) {
    std::this_thread::sleep_for(std::chrono::microseconds(500));
  }
  return condition();
}

void rest(std::int64_t us) {
  std::this_thread::sleep_for(std::chrono::microseconds(us));
}

TEST(BatchRing, ManyThreadsAndASlowConsumerKeepEverySampleInItsPlace) {
  const ImageSamples samples = samples_of(37, 5);
  BatchRing ring(samples, 3);
  ring.allow_epochs(kEndless);
  const Crew crew(ring, 8);
  for (std::int64_t epoch = 0; epoch < 4; ++epoch) {
    const auto order = epoch_order(samples.seed, epoch, samples.count());
    auto next = order.begin();
    for (std::int64_t i = 0; i < samples.batches_per_epoch; ++i) {
      const ReadyBatch batch = ring.wait_ready();
      rest(i % 3 == 0 ? 300 : 0);
      EXPECT_EQ(batch.epoch, epoch);
      EXPECT_EQ(batch.index, i);
      for (const std::int64_t sample : numbers_in(batch)) {
        ASSERT_NE(next, order.end());
        EXPECT_EQ(sample, *next++);
      }
      ring.release(batch.slot);
    }
    EXPECT_EQ(next, order.end());
  }
}

TEST(BatchRing, InAnyOrderAnEpochHasTheSameSamplesAndIsNotMixedWithTheNext) {
  ImageSamples samples = samples_of(37, 5);
  samples.options.order = LoaderOptions::Order::as_ready;
  BatchRing ring(samples, 4);
  ring.allow_epochs(kEndless);
  const Crew crew(ring, 6, [](const Ticket& ticket) {
    rest(ticket.sample % 7 == 0 ? 500 : 0);  // some batches take longer
    return make_number(ticket);
  });
  for (std::int64_t epoch = 0; epoch < 4; ++epoch) {
    std::set<std::int64_t> seen;
    for (std::int64_t i = 0; i < samples.batches_per_epoch; ++i) {
      const ReadyBatch batch = ring.wait_ready();
      EXPECT_EQ(batch.epoch, epoch);
      const auto numbers = numbers_in(batch);
      seen.insert(numbers.begin(), numbers.end());
      ring.release(batch.slot);
    }
    EXPECT_EQ(seen.size(), 37U);
  }
}

TEST(BatchRing, SamplesOfIncompleteBatchesCountAsMadeAhead) {
  const ImageSamples samples = samples_of(100, 10);
  BatchRing ring(samples, 3);
  ring.allow_epochs(kEndless);
  std::atomic<int> allowed = 7;
  const Crew crew(ring, 1, [&](const Ticket& ticket) {
    comes_true([&] { return allowed.load() > 0; });
    --allowed;
    return make_number(ticket);
  });
  EXPECT_TRUE(comes_true([&] { return ring.count_ahead() == 7; }));
  EXPECT_FALSE(ring.is_next_ready());
  allowed = 5;
  EXPECT_TRUE(comes_true([&] { return ring.count_ahead() == 12; }));
  EXPECT_TRUE(ring.is_next_ready());
  ring.release(ring.wait_ready().slot);
  EXPECT_EQ(ring.count_ahead(), 2);
  allowed = 1'000;
  EXPECT_TRUE(comes_true([&] { return ring.count_ahead() == 30; })) << "no more than its slots";
  rest(2'000);
  EXPECT_EQ(ring.count_ahead(), 30);
}

TEST(BatchRing, CountsHowLongOneBatchHeldUpThoseBehindIt) {
  const ImageSamples samples = samples_of(20, 1);
  const std::int64_t slow = epoch_order(samples.seed, 0, samples.count()).front();
  std::latch go(1);
  BatchRing ring(samples, 3);
  ring.allow_epochs(kEndless);
  const Crew crew(ring, 2, [&](const Ticket& ticket) {
    if (ticket.epoch == 0 && ticket.sample == slow) {
      go.wait();
    }
    return make_number(ticket);
  });
  EXPECT_TRUE(comes_true([&] { return ring.count_ahead() == 2; })) << "the other slots are full";
  rest(20'000);
  go.count_down();
  ring.release(ring.wait_ready().slot);
  const RingWaits waits = ring.waits();
  EXPECT_GE(waits.reorder_wait_ns, 1'000'000);
  EXPECT_GE(waits.wait_ns, waits.reorder_wait_ns);
  EXPECT_EQ(waits.pulls, 1);
}

TEST(BatchRing, CountsPullsThatFoundNothingReady) {
  const ImageSamples samples = samples_of(4, 1);
  BatchRing ring(samples, 3);
  ring.allow_epochs(kEndless);
  const Ticket first = *ring.take();
  ring.finish(first, make_number(first));
  ring.release(ring.wait_ready().slot);
  EXPECT_EQ(ring.waits().empty_pulls, 0);
  const Ticket second = *ring.take();
  std::thread late([&] {
    EXPECT_TRUE(comes_true([&] { return ring.waits().pulls == 2; })) << "the consumer waits";
    ring.finish(second, make_number(second));
  });
  ring.release(ring.wait_ready().slot);
  late.join();
  EXPECT_EQ(ring.waits().pulls, 2);
  EXPECT_EQ(ring.waits().empty_pulls, 1);
  EXPECT_EQ(ring.waits().wait_ns, 0) << "no thread waited for a slot";
}

TEST(BatchRing, StopEndsThreadsThatWaitForASlot) {
  for (int i = 0; i < 50; ++i) {
    const ImageSamples samples = samples_of(20, 2);
    BatchRing ring(samples, 2);
    ring.allow_epochs(kEndless);
    const Crew crew(ring, 4);
    EXPECT_TRUE(comes_true([&] { return ring.count_ahead() == 4; }));
  }
}

TEST(BatchRing, StopInTheMiddleEndsThreadsAtWorkAndLeavesHeldBatchesAlone) {
  for (int i = 0; i < 100; ++i) {
    const ImageSamples samples = samples_of(64, 4);
    BatchRing ring(samples, 3);
    ring.allow_epochs(kEndless);
    std::optional<ReadyBatch> held;
    std::vector<std::int64_t> before;
    {
      const Crew crew(ring, 4);
      for (int k = 0; k < i % 7; ++k) {
        if (held) {
          ring.release(held->slot);
        }
        held = ring.wait_ready();
        before = numbers_in(*held);
      }
      rest(i * 37 % 500);
    }
    if (held) {
      EXPECT_EQ(numbers_in(*held), before);
      ring.release(held->slot);
    }
  }
}

TEST(BatchRing, StopBeforeAnythingIsAllowedOrAfterAllIsMadeEndsThreads) {
  const ImageSamples samples = samples_of(9, 3);
  BatchRing empty(samples, 2);
  { const Crew crew(empty, 3); }
  EXPECT_EQ(empty.count_ahead(), 0);
  BatchRing ring(samples, 4);
  ring.allow_epochs(1);
  Crew crew(ring, 3);
  crew.join();  // by themselves: the epoch is made
  EXPECT_EQ(ring.count_ahead(), 9);
}

TEST(BatchRing, EpochsBeginWithNewThreads) {
  const ImageSamples samples = samples_of(23, 4);
  BatchRing ring(samples, 3);
  for (std::int64_t epoch = 0; epoch < 10; ++epoch) {
    ring.allow_epochs(epoch + 1);
    EXPECT_EQ(ring.count_ahead(), 0);
    Crew crew(ring, 3);
    for (std::int64_t i = 0; i < samples.batches_per_epoch; ++i) {
      const ReadyBatch batch = ring.wait_ready();
      EXPECT_EQ(batch.epoch, epoch);
      ring.release(batch.slot);
    }
    crew.join();
    if (epoch == 9) {
      EXPECT_FALSE(ring.take().has_value());
    }
  }
}

TEST(BatchRing, WhatAThreadThrowsReachesTheConsumerAndEndsTheOthers) {
  for (int i = 0; i < 50; ++i) {
    const ImageSamples samples = samples_of(40, 4);
    BatchRing ring(samples, 3);
    ring.allow_epochs(kEndless);
    std::atomic<int> made = 0;
    Crew crew(ring, 4, [&](const Ticket& ticket) -> MadeSample {
      if (++made == 10 + i) {
        throw std::runtime_error("no memory for sample");
      }
      return make_number(ticket);
    });
    std::string message;
    try {
      for (;;) {
        ring.release(ring.wait_ready().slot);
      }
    } catch (const std::runtime_error& error) {
      message = error.what();
    }
    EXPECT_EQ(message, "no memory for sample");
    crew.join();
    EXPECT_THROW(ring.wait_ready(), std::runtime_error) << "also on the next call";
  }
}

TEST(BatchRing, AConsumerThatAlreadyWaitsHearsOfAFailure) {
  const ImageSamples samples = samples_of(40, 4);
  BatchRing ring(samples, 3);
  ring.allow_epochs(kEndless);
  std::latch has_begun(1);
  const Crew crew(ring, 2, [&](const Ticket&) -> MadeSample {
    has_begun.wait();
    rest(5'000);
    throw std::bad_alloc();
  });
  has_begun.count_down();
  EXPECT_THROW(ring.wait_ready(), std::bad_alloc);
}

// The last user of a tensor's memory returns the slot, even a thread of autograd.
TEST(BatchRing, SlotsMayBeGivenBackByAnyThreadWhileOthersLook) {
  const ImageSamples samples = samples_of(50, 5);
  BatchRing ring(samples, 4);
  ring.allow_epochs(kEndless);
  const Crew crew(ring, 3);
  std::atomic<bool> is_over = false;
  std::thread onlooker([&] {
    while (!is_over) {
      EXPECT_LE(ring.count_ahead(), 20);
      (void)ring.is_next_ready();
      (void)ring.is_consumer_holding_all();
      rest(20);
    }
  });
  for (int i = 0; i < 60; ++i) {
    const ReadyBatch first = ring.wait_ready(), second = ring.wait_ready();
    std::thread others([&] { ring.release(second.slot); });
    ring.release(first.slot);
    others.join();
  }
  is_over = true;
  onlooker.join();
}

TEST(BatchRing, HoldingEverySlotIsAMistakeAndNoDeadlock) {
  const ImageSamples samples = samples_of(20, 2);
  BatchRing ring(samples, 2);
  ring.allow_epochs(kEndless);
  const Crew crew(ring, 2);
  const ReadyBatch first = ring.wait_ready();
  EXPECT_FALSE(ring.is_consumer_holding_all());
  const ReadyBatch second = ring.wait_ready();
  EXPECT_TRUE(ring.is_consumer_holding_all());
  EXPECT_THROW(ring.wait_ready(), std::logic_error);
  ring.release(first.slot);
  EXPECT_EQ(ring.wait_ready().index, 2);
}

TEST(BatchRing, FaultsComeInTheOrderOfTheBatch) {
  const ImageSamples samples = samples_of(60, 12);
  BatchRing ring(samples, 2);
  ring.allow_epochs(kEndless);
  const Crew crew(ring, 4, [](const Ticket& ticket) {
    MadeSample made = make_number(ticket);
    made.fault = Fault{std::to_string(ticket.position), "", ""};
    rest(ticket.position % 3 * 100);
    return made;
  });
  const ReadyBatch batch = ring.wait_ready();
  ASSERT_EQ(batch.faults.size(), 12U);
  for (std::size_t i = 0; i < 12; ++i) {
    EXPECT_EQ(batch.faults[i].path, std::to_string(i));
  }
}

}  // namespace
}  // namespace tune::worker
