#pragma once

#include <c10/util/intrusive_ptr.h>

namespace c10d {
class Backend;
class Store;
}  // namespace c10d

namespace tune::worker {

/// LibTorch's gloo between processes of this machine, over the loopback.
c10::intrusive_ptr<c10d::Backend> connect_gloo(const c10::intrusive_ptr<c10d::Store>& store,
                                               int rank,
                                               int size);

}  // namespace tune::worker
