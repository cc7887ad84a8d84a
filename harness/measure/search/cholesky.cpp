#include "measure/search/cholesky.h"

#include "base/assert.h"

#include <cmath>
#include <utility>

namespace tune::search {

Cholesky::Cholesky(SquareMatrix matrix) : upper_(std::move(matrix)) {
  const std::size_t size = upper_.size;
  for (std::size_t k = 0; k < size; ++k) {
    double* const pivot = upper_.row(k);
    TUNE_ASSERT(pivot[k] > 0);  // every caller adds noise to the diagonal
    const double scale = 1 / std::sqrt(pivot[k]);
    for (std::size_t j = k; j < size; ++j) {
      pivot[j] *= scale;
    }
    for (std::size_t i = k + 1; i < size; ++i) {
      double* const row = upper_.row(i);
      const double factor = pivot[i];
      for (std::size_t j = i; j < size; ++j) {
        row[j] -= factor * pivot[j];
      }
    }
  }
}

std::vector<double> Cholesky::whitened(std::vector<double> x) const {
  for (std::size_t k = 0; k < size(); ++k) {
    const double* const row = upper_.row(k);
    x[k] /= row[k];
    const double factor = x[k];
    for (std::size_t j = k + 1; j < size(); ++j) {
      x[j] -= factor * row[j];
    }
  }
  return x;
}

std::vector<double> Cholesky::solved(std::vector<double> x) const {
  x = whitened(std::move(x));
  for (std::size_t k = size(); k-- > 0;) {
    const double* const row = upper_.row(k);
    double sum = x[k];
    for (std::size_t j = k + 1; j < size(); ++j) {
      sum -= row[j] * x[j];
    }
    x[k] = sum / row[k];
  }
  return x;
}

double Cholesky::half_log_determinant() const {
  double sum = 0;
  for (std::size_t k = 0; k < size(); ++k) {
    sum += std::log(upper_.at(k, k));
  }
  return sum;
}

std::vector<double> Cholesky::inverse_diagonal() const {
  std::vector<double> diagonal(size());
  for (std::size_t k = 0; k < size(); ++k) {
    std::vector<double> unit(size());
    unit[k] = 1;
    for (const double value : whitened(std::move(unit))) {
      diagonal[k] += value * value;
    }
  }
  return diagonal;
}

}  // namespace tune::search
