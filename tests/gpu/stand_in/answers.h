#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tune::stand_in {

/// What a stand-in library answers: the file `answers` next to it, one answer a line.
///
///   driver 535.104.05              version of the driver
///   cuda 12020                     newest CUDA that it supports, as CUDA writes it: 12.2
///   gpu NVIDIA H100 80GB HBM3      one line a GPU
///   watts 350                      power of each GPU
///   code cuInit 999                what a function returns; 0 where nothing is said
class Answers {
 public:
  /// Those of the library that contains `function`. A file that cannot be read answers nothing.
  static Answers beside(const void* function);

  std::string text(const std::string& key) const;
  std::int64_t number(const std::string& key, std::int64_t otherwise) const;
  const std::vector<std::string>& gpus() const { return gpus_; }

  /// What the function returns instead of working; 0: it works.
  int code(const std::string& function) const;

 private:
  std::map<std::string, std::string> texts_;
  std::map<std::string, int> codes_;
  std::vector<std::string> gpus_;
};

}  // namespace tune::stand_in
