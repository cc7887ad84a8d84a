#pragma once

#include <cstddef>
#include <vector>

namespace tune::search {

/// A square matrix, row by row.
struct SquareMatrix {
  explicit SquareMatrix(std::size_t rows) : size(rows), values(rows * rows) {}
  double& at(std::size_t row, std::size_t column) { return values[row * size + column]; }
  double at(std::size_t row, std::size_t column) const { return values[row * size + column]; }
  double* row(std::size_t index) { return values.data() + index * size; }
  const double* row(std::size_t index) const { return values.data() + index * size; }

  std::size_t size;
  std::vector<double> values;
};

/// A = U^T U of a symmetric positive definite matrix, of which only the upper half is read. Loops
/// run along rows, so that compilers vectorise them: at a few hundred rows that is all it takes.
class Cholesky {
 public:
  explicit Cholesky(SquareMatrix matrix);

  std::size_t size() const { return upper_.size; }

  /// U^-T x.
  std::vector<double> whitened(std::vector<double> x) const;

  /// A^-1 x.
  std::vector<double> solved(std::vector<double> x) const;

  /// ln of the square root of A's determinant.
  double half_log_determinant() const;

  /// The diagonal of A^-1.
  std::vector<double> inverse_diagonal() const;

 private:
  SquareMatrix upper_;
};

}  // namespace tune::search
