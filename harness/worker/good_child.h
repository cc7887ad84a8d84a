#pragma once

namespace tune::worker {

/// Dies with its parent, is the first that the kernel kills when memory runs out, and survives a
/// parent that has stopped reading.
void become_a_good_child();

}  // namespace tune::worker
