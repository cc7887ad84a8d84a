#include "worker/data/loader_threads.h"

#include "worker/data/wait_watch.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <pthread.h>
#include <string>
#include <sys/resource.h>
#include <unistd.h>

extern "C" void omp_set_num_threads(int threads);  // of libgomp; not every compiler has <omp.h>

namespace tune::worker {

void become_loader_thread(std::int64_t number, std::int64_t nice) {
  const std::string name = "tune-load-" + std::to_string(number);
  pthread_setname_np(pthread_self(), name.c_str());
  const auto self = static_cast<id_t>(gettid());  // Linux: niceness belongs to the thread
  const int now = getpriority(PRIO_PROCESS, self);
  setpriority(PRIO_PROCESS, self, std::max(now, static_cast<int>(nice)));
  at::get_num_threads();  // LibTorch sets a thread up on its first use, and from then on leaves it
                          // alone
  omp_set_num_threads(
      1);  // of this thread; at::set_num_threads would be for all that follow, in every thread
}

void LoaderThreads::start(std::int64_t count,
                          std::int64_t nice,
                          const std::function<void(std::int64_t)>& work) {
  const SignalsBlocked blocked;
  for (std::int64_t i = 0; i < count; ++i) {
    threads_.emplace_back([i, nice, work] {
      become_loader_thread(i, nice);
      work(i);
    });
  }
}

void LoaderThreads::join() {
  for (std::thread& thread : threads_) {
    thread.join();
  }
  threads_.clear();
}

}  // namespace tune::worker
