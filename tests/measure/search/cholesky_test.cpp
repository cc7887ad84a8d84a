#include "measure/search/cholesky.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tune::search {

namespace {

// [4 2; 2 3]: determinant 8, inverse [3 -2; -2 4] / 8.
Cholesky example() {
  SquareMatrix matrix(2);
  matrix.at(0, 0) = 4;
  matrix.at(0, 1) = 2;
  matrix.at(1, 1) = 3;
  return Cholesky(matrix);
}

}  // namespace

TEST(Cholesky, SolvesAndKnowsTheDeterminant) {
  const auto x = example().solved({8, 8});
  EXPECT_NEAR(x[0], 1, 1e-12);
  EXPECT_NEAR(x[1], 2, 1e-12);
  EXPECT_NEAR(example().half_log_determinant(), std::log(8.0) / 2, 1e-12);
}

TEST(Cholesky, WhitensSoThatSquaresAddUpToTheQuadraticForm) {
  const auto white = example().whitened({1, 1});
  EXPECT_NEAR(white[0] * white[0] + white[1] * white[1], 3.0 / 8, 1e-12);  // (3 - 2 - 2 + 4) / 8
}

TEST(Cholesky, KnowsTheDiagonalOfTheInverse) {
  const auto diagonal = example().inverse_diagonal();
  EXPECT_NEAR(diagonal[0], 3.0 / 8, 1e-12);
  EXPECT_NEAR(diagonal[1], 4.0 / 8, 1e-12);
}

}  // namespace tune::search
