#include "viewer/connections.h"

#include "base/background_thread.h"
#include "base/monotonic_clock.h"
#include "viewer/client.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <set>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace tune::viewer {

namespace {

struct Waiting {
  int socket = -1;
  std::int64_t deadline_ns = 0;  // of its question
};

}  // namespace

struct Connections::State {
  State(const Limits& most, Answer how) : limits(most), answer(std::move(how)) {}

  void serve();
  void serve_one(const Waiting& next);
  template <class Which>
  void cut(Which which);

  Limits limits;
  Answer answer;
  std::mutex mutex;  // of the four below
  std::condition_variable changed;
  std::deque<Waiting> waiting;
  std::set<Client*> clients;  // who are asking or being answered
  bool has_stopped = false;
  std::vector<std::jthread> threads;  // last: they use the others
};

void Connections::State::serve() {
  step_aside("tune-serve");
  std::unique_lock lock(mutex);
  for (;;) {
    changed.wait(lock, [&] { return has_stopped || !waiting.empty(); });
    if (has_stopped) {
      return;
    }
    const Waiting next = waiting.front();
    waiting.pop_front();
    Client client(next.socket,
                  {.deadline_ns = next.deadline_ns,
                   .most_question_bytes = limits.most_question_bytes,
                   .patience_ms = limits.patience_ms});
    clients.insert(&client);
    lock.unlock();
    answer(client);
    lock.lock();
    clients.erase(&client);
    changed.notify_all();
  }
}

template <class Which>
void Connections::State::cut(Which which) {
  for (Client* const client : clients) {
    if (which(*client)) {
      client->cut();
    }
  }
}

Connections::Connections(const Limits& limits, Answer answer)
    : state_(std::make_unique<State>(limits, std::move(answer))) {}

Connections::~Connections() {
  stop();
}

void Connections::start() {
  try {
    for (std::size_t i = 0; i < state_->limits.threads; ++i) {
      state_->threads.push_back(start_thread([state = state_.get()] { state->serve(); }));
    }
  } catch (...) {
    stop();
    throw;
  }
}

void Connections::take(int socket) {
  constexpr std::int64_t kNsPerMs = 1'000'000;
  {
    const std::lock_guard lock(state_->mutex);
    if (!state_->has_stopped && state_->waiting.size() < state_->limits.most_waiting) {
      state_->waiting.push_back({socket, monotonic_ns() + kNsPerMs * state_->limits.patience_ms});
      socket = -1;
    }
  }
  if (socket >= 0) {
    close(socket);
  }
  state_->changed.notify_all();
}

void Connections::stop() {
  std::unique_lock lock(state_->mutex);
  state_->has_stopped = true;
  for (const Waiting& client : state_->waiting) {
    close(client.socket);
  }
  state_->waiting.clear();
  state_->changed.notify_all();
  state_->cut([](const Client& client) { return !client.is_answered(); });
  state_->changed.wait_for(lock, std::chrono::milliseconds(state_->limits.grace_ms), [&] {
    return state_->clients.empty();
  });
  state_->cut([](const Client&) { return true; });
  lock.unlock();
  state_->threads.clear();  // joins them
}

}  // namespace tune::viewer
