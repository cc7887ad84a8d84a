#include "trial/numerics.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace tune::trial {
namespace {

bool may_change(const std::string& variable,
                const std::string& value,
                const std::string& before = "none") {
  const std::string knob = "environment." + variable;
  return may_change_numbers(knob, {{knob, before}}, {{knob, value}});
}

TEST(Numerics, AreThoseOfTheCatalogue) {
  EXPECT_TRUE(may_change_numbers("amp", {}, {{"amp", std::string("bf16")}}));
  EXPECT_FALSE(may_change_numbers("num_workers", {}, {{"num_workers", std::int64_t{2}}}));
  EXPECT_TRUE(may_change_numbers("plugin.width", {}, {{"plugin.width", std::int64_t{2}}}));
}

TEST(Numerics, AreKeptByWhatIsForAnAllocator) {
  for (const auto& [variable, value] :
       {std::pair{"GLIBC_TUNABLES", "glibc.malloc.mmap_max=0:glibc.malloc.hugetlb=1"},
        {"MALLOC_CONF", "background_thread:true"},
        {"MALLOC_TRIM_THRESHOLD_", "1073741824"},
        {"TCMALLOC_RELEASE_RATE", "1"},
        {"PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:True"},
        {"THP_MEM_ALLOC_ENABLE", "1"},
        {"LD_PRELOAD", "jemalloc"},
        {"LD_PRELOAD", "/usr/lib/x86_64-linux-gnu/libtcmalloc_minimal.so.4:libjemalloc.so.2"}}) {
    EXPECT_FALSE(may_change(variable, value)) << variable << "=" << value;
    EXPECT_FALSE(may_change(variable, "none", value)) << variable << " without " << value;
  }
}

TEST(Numerics, MayChangeByEveryOtherVariable) {
  for (const auto& [variable, value] :
       {std::pair{"OMP_NUM_THREADS", "2"},
        {"ONEDNN_DEFAULT_FPMATH_MODE", "BF16"},
        {"GLIBC_TUNABLES", "glibc.malloc.mmap_max=0:glibc.cpu.hwcaps=-AVX2"},
        {"LD_PRELOAD", "jemalloc:iomp5"},
        {"LD_PRELOAD", "/opt/jemalloc/libmine.so"}}) {
    EXPECT_TRUE(may_change(variable, value)) << variable << "=" << value;
    EXPECT_TRUE(may_change(variable, "none", value)) << variable << " without " << value;
  }
}

}  // namespace
}  // namespace tune::trial
