#include "ladder/host.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "bench/blas.hpp"
#include "core/checking/rows.hpp"
#include "measure/statistics.hpp"
#include "verify/judge.hpp"

namespace wgemm::ladder {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kCpuBudgetMs = 1000;
constexpr double kBlasBudgetMs = 1500;
constexpr std::size_t kBlasSamples = 15;
constexpr double kReferenceTerms = 1e9;  ///< products that a reference may take: well below a second

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

void multiply_row(std::uint64_t n, std::uint64_t k, const float* a, const float* b, float* c) {
  for (std::uint64_t col = 0; col < n; ++col) {
    float sum = 0;
    for (std::uint64_t i = 0; i < k; ++i) sum += a[i] * b[i * n + col];
    c[col] = sum;
  }
}

Measurement measurement_of(std::vector<double> samples) {
  Measurement result;
  result.samples = static_cast<std::uint32_t>(samples.size());
  result.repeats = 1;
  const auto summary = measuring::summarise(std::move(samples));
  result.ms = summary.median;
  result.minimum_ms = summary.minimum;
  result.maximum_ms = summary.maximum;
  result.spread = summary.spread;
  result.spread_reached = result.samples > 1 && summary.spread <= MeasureOptions{}.target_spread;
  return result;
}

Row baseline(std::string name, std::string adds) {
  Row row;
  row.kind = Kind::baseline;
  row.name = std::move(name);
  row.adds = std::move(adds);
  row.on_device = false;
  return row;
}

}  // namespace

HostRows::HostRows(const Problem& problem, std::uint64_t seed)
    : seed_(seed), given_(verify::make_inputs(problem, verify::Numbers::uniform, seed, 0)) {}

const float* HostRows::elements(BufferRole role) const {
  return reinterpret_cast<const float*>(given_[role].data());
}

Row HostRows::cpu() const {
  auto row = baseline("cpu", "three loops, one thread");
  const auto& [m, n, k] = std::tie(given_.problem.m, given_.problem.n, given_.problem.k);
  std::vector<float> c(m * n);
  std::uint64_t done = 0;
  const auto start = Clock::now();
  do {
    multiply_row(n, k, elements(BufferRole::a) + done * k, elements(BufferRole::b), c.data() + done * n);
    ++done;
  } while (done < m && milliseconds_since(start) < kCpuBudgetMs);
  const double elapsed = milliseconds_since(start);

  row.rows_share = static_cast<double>(done) / static_cast<double>(m);
  row.time = measurement_of({elapsed / row.rows_share});
  if (done < m) row.note = fmt::format("computed {} of {} rows, time scaled up", done, m);
  judge(row, done, c);
  return row;
}

Row HostRows::blas(const std::function<void(double)>& progress) const {
  auto row = baseline("blas", bench::blas_description());
  const auto& [m, n, k] = std::tie(given_.problem.m, given_.problem.n, given_.problem.k);
  std::vector<float> c(m * n);
  std::vector<double> samples;
  const auto start = Clock::now();
  do {
    const auto begin = Clock::now();
    bench::blas_multiply(m, n, k, elements(BufferRole::a), elements(BufferRole::b), c.data());
    samples.push_back(milliseconds_since(begin));
    if (progress) progress(milliseconds_since(start) / kBlasBudgetMs);
  } while (samples.size() < kBlasSamples && milliseconds_since(start) < kBlasBudgetMs);
  row.time = measurement_of(std::move(samples));
  judge(row, m, c);
  return row;
}

void HostRows::judge(Row& row, std::uint64_t rows, const std::vector<float>& c) const {
  auto given = given_;
  auto& problem = given.problem;
  problem.m = rows;
  const auto bytes = std::as_bytes(std::span(c)).first(rows * problem.n * sizeof(float));
  given.at(BufferRole::c).assign(bytes.size(), std::byte{0xff});  // NaNs, which no product is
  const double row_terms = static_cast<double>(problem.n) * static_cast<double>(problem.k);
  const auto most = static_cast<std::uint64_t>(std::max(1.0, kReferenceTerms / row_terms));
  const auto judgement = verify::judge_bound(given, bytes, checking::sample_rows(rows, most, seed_));
  row.error_over_bound = judgement.error_over_bound;
  if (judgement.fault.empty()) return;
  row.status = Status::wrong;
  row.reason = judgement.fault;
}

}  // namespace wgemm::ladder
