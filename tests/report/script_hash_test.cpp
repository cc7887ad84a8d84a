#include "report/script_hash.h"

#include <gtest/gtest.h>

namespace tune::report {
namespace {

// Expected: printf '%s' TEXT | openssl dgst -sha256 -binary | base64
TEST(ScriptHash, IsTheDigestInBase64) {
  EXPECT_EQ(script_hash(""), "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
  EXPECT_EQ(script_hash("alert('Hello, world.');"), "qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng=");
}

}  // namespace
}  // namespace tune::report
