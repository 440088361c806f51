#include "c/problem.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "c/objects.hpp"

namespace wgemm::c {
namespace {

static_assert(static_cast<int>(DataType::u4) == WGEMM_U4);
static_assert(static_cast<int>(Order::col_major) == WGEMM_COL_MAJOR);
static_assert(static_cast<int>(Accumulate::f16) == WGEMM_ACCUMULATE_F16);
static_assert(static_cast<int>(Bias::per_column) == WGEMM_BIAS_PER_COLUMN);
static_assert(static_cast<int>(Activation::clamp) == WGEMM_ACT_CLAMP);
static_assert(static_cast<int>(Matrix::b) == WGEMM_MATRIX_B);
static_assert(kMaxBatchRank == WGEMM_MAX_BATCH_RANK);

/// Reads enumerations; keeps the first that has a value of no enumerator.
class Enumerations {
 public:
  template <typename To, typename From>
  To read(const char* name, const From& value, From last) {
    // By its bytes: a value that the enumeration does not have must not be read as one of it.
    std::underlying_type_t<From> stored{};
    std::memcpy(&stored, &value, sizeof stored);
    const auto number = static_cast<long long>(stored);
    if (number >= 0 && number <= static_cast<long long>(last)) return static_cast<To>(number);
    if (done_) {
      done_ = fail(ErrorCode::invalid_argument, name,
                   std::string(name) + " = " + std::to_string(number) + "; it is from 0 to " +
                       std::to_string(static_cast<long long>(last)));
    }
    return To{};
  }
  [[nodiscard]] const Result<void>& done() const { return done_; }

 private:
  Result<void> done_;
};

MatrixLayout layout_of(const wgemm_layout& layout, const char* type, const char* order,
                       Enumerations& enumerations) {
  return {enumerations.read<DataType>(type, layout.type, WGEMM_U4),
          enumerations.read<Order>(order, layout.order, WGEMM_COL_MAJOR), layout.ld, layout.offset};
}

Result<Batch> batch_of(const wgemm_problem& problem) {
  Batch batch;
  batch.rank = problem.batch_rank;
  std::ranges::copy(problem.batch_extents, batch.extents.begin());
  std::ranges::copy(problem.batch_strides_a, batch.a.begin());
  std::ranges::copy(problem.batch_strides_b, batch.b.begin());
  std::ranges::copy(problem.batch_strides_c, batch.c.begin());
  std::ranges::copy(problem.batch_strides_residual, batch.residual.begin());
  if (problem.batch_table == nullptr && problem.batch_table_size > 0) return null_argument("batch_table");
  for (std::size_t i = 0; i < problem.batch_table_size; ++i) {
    const auto& [a, b, c, residual] = problem.batch_table[i];
    batch.table.push_back({a, b, c, residual});
  }
  return batch;
}

}  // namespace

Result<Problem> problem_of(const wgemm_problem* given) {
  if (given == nullptr) return null_argument("problem");
  if (given->struct_size != sizeof(wgemm_problem)) {
    return fail(ErrorCode::invalid_argument, "problem.struct_size",
                "problem.struct_size = " + std::to_string(given->struct_size) +
                    "; wgemm_problem_init sets it to " + std::to_string(sizeof(wgemm_problem)));
  }
  Enumerations enumerations;
  Problem problem;
  problem.m = given->m;
  problem.n = given->n;
  problem.k = given->k;
  problem.a = layout_of(given->a, "a.type", "a.order", enumerations);
  problem.b = layout_of(given->b, "b.type", "b.order", enumerations);
  problem.c = layout_of(given->c, "c.type", "c.order", enumerations);
  problem.trans_a = given->trans_a ? Transpose::transpose : Transpose::none;
  problem.trans_b = given->trans_b ? Transpose::transpose : Transpose::none;
  problem.alpha = given->alpha;
  problem.beta = given->beta;
  problem.accumulate = enumerations.read<Accumulate>("accumulate", given->accumulate, WGEMM_ACCUMULATE_F16);
  problem.quantization.block = given->quantization_block;
  problem.quantization.scale_type =
      enumerations.read<DataType>("quantization_scale_type", given->quantization_scale_type, WGEMM_U4);
  problem.quantization.zeros = given->quantization_zeros;
  auto& epilogue = problem.epilogue;
  epilogue.bias = enumerations.read<Bias>("bias", given->bias, WGEMM_BIAS_PER_COLUMN);
  epilogue.bias_type = enumerations.read<DataType>("bias_type", given->bias_type, WGEMM_U4);
  epilogue.activation = enumerations.read<Activation>("activation", given->activation, WGEMM_ACT_CLAMP);
  epilogue.lower = given->clamp_lower;
  epilogue.upper = given->clamp_upper;
  epilogue.add_residual = given->add_residual;
  epilogue.residual = layout_of(given->residual, "residual.type", "residual.order", enumerations);
  if (!enumerations.done()) return tl::unexpected(enumerations.done().error());
  auto batch = batch_of(*given);
  if (!batch) return tl::unexpected(batch.error());
  problem.batch = std::move(*batch);
  return problem;
}

Result<Matrix> matrix_of(const wgemm_matrix& matrix) {
  Enumerations enumerations;
  const auto read = enumerations.read<Matrix>("matrix", matrix, WGEMM_MATRIX_B);
  if (!enumerations.done()) return tl::unexpected(enumerations.done().error());
  return read;
}

Error in_terms_of_c(Error error) {
  // Names before what others begin with.
  constexpr std::array<std::pair<std::string_view, std::string_view>, 11> kNames{
      {{"epilogue.lower", "clamp_lower"},
       {"epilogue.upper", "clamp_upper"},
       {"epilogue.", ""},
       {"quantization.", "quantization_"},
       {"batch.rank", "batch_rank"},
       {"batch.extents", "batch_extents"},
       {"batch.table", "batch_table"},
       {"batch.residual", "batch_strides_residual"},
       {"batch.a", "batch_strides_a"},
       {"batch.b", "batch_strides_b"},
       {"batch.c", "batch_strides_c"}}};
  for (auto* const text : {&error.argument, &error.message}) {
    for (const auto& [ours, theirs] : kNames) {
      for (std::size_t at = 0; (at = text->find(ours, at)) != std::string::npos; at += theirs.size()) {
        text->replace(at, ours.size(), theirs);
      }
    }
  }
  return error;
}

PlanOptions options_of(const wgemm_plan_options* options) {
  PlanOptions result;
  if (options == nullptr) return result;
  if (options->kernel != nullptr) result.kernel = options->kernel;
  result.edges = options->padded ? EdgePolicy::padded : EdgePolicy::checked;
  result.split_k = options->split_k;
  result.scratch_cap = options->scratch_cap;
  result.max_dispatch_flops = options->max_dispatch_flops;
  result.dequantise = options->dequantise;
  return result;
}

}  // namespace wgemm::c

void wgemm_problem_init(wgemm_problem* problem, uint64_t m, uint64_t n, uint64_t k) {
  if (problem == nullptr) return;
  *problem = {};
  problem->struct_size = sizeof(wgemm_problem);
  problem->m = m;
  problem->n = n;
  problem->k = k;
  problem->alpha = 1;
}
