#include "worker/cuda/library_place.h"

#include <gtest/gtest.h>

#include <gnu/libc-version.h>

namespace tune::worker {
namespace {

TEST(LibraryPlace, TheFileOfAFunctionIsFound) {
  const auto* const function = reinterpret_cast<const void*>(&gnu_get_libc_version);
  EXPECT_NE(library_of(function).string().find(".so"), std::string::npos);
  EXPECT_TRUE(library_of(nullptr).empty());
}

TEST(LibraryPlace, OnlyALibraryBesideLibTorchIsItsOwn) {
  const std::filesystem::path torch = "/opt/site/torch/lib/libc10_cuda.so";
  EXPECT_EQ(why_foreign("/opt/site/nvidia/cu13/lib/libcupti.so.13", torch), "");
  EXPECT_EQ(why_foreign("/opt/site/torch/lib/libcupti.so.13", torch), "");
  EXPECT_EQ(why_foreign("/opt/toolkit/libcupti.so.13", torch),
            "/opt/toolkit/libcupti.so.13 was loaded, not the CUPTI next to LibTorch in /opt/site");
  EXPECT_NE(why_foreign("/opt/site-2/nvidia/libcupti.so.13", torch), "") << "not the same folder";
  EXPECT_NE(why_foreign("", torch), "");
}

}  // namespace
}  // namespace tune::worker
