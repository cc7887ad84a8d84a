#include "machine/preloaded_library.h"

#include "base/error.h"
#include "changing_root.h"

#include <gtest/gtest.h>

namespace tune::machine {
namespace {

using PreloadedLibrary = ChangingRoot;

TEST_F(PreloadedLibrary, IsFoundByItsName) {
  write("usr/lib/x86_64-linux-gnu/libjemalloc.so.2", "a library");
  EXPECT_EQ(preloaded_library("jemalloc", root_),
            (root_ / "usr/lib/x86_64-linux-gnu/libjemalloc.so.2").string());
}

TEST_F(PreloadedLibrary, SaysWhichPackageHasIt) {
  try {
    preloaded_library("tcmalloc", root_);
    FAIL() << "there is none";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "LD_PRELOAD: 'tcmalloc' is not installed apt-get install libtcmalloc-minimal4?");
  }
}

TEST_F(PreloadedLibrary, OfAListEachIsFound) {
  write("usr/lib64/libjemalloc.so.2", "a library");
  write("usr/lib64/libiomp5.so", "another");
  EXPECT_EQ(preloaded_library("jemalloc:iomp5:/opt/libx.so", root_),
            (root_ / "usr/lib64/libjemalloc.so.2").string() + ":" +
                (root_ / "usr/lib64/libiomp5.so").string() + ":/opt/libx.so");
}

TEST_F(PreloadedLibrary, AnyOtherWordStays) {
  EXPECT_EQ(preloaded_library("/opt/libx.so:liby.so", root_), "/opt/libx.so:liby.so");
  EXPECT_EQ(preloaded_library("none", root_), "none");
}

}  // namespace
}  // namespace tune::machine
