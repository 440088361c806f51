#include "verify/fuzz/simplify.hpp"

#include <algorithm>
#include <array>

#include "verify/fuzz/fuzzer.hpp"

namespace wgemm::verify::fuzz {
namespace {

using Step = void (*)(Case&);

struct Named {
  std::string_view name;
  Step take;
};

void without_batch(Case& each) { each.problem.batch = {}; }

/// The first product of a batch alone would be one without; the last one has places of its own.
void last_product(Case& each) {
  auto& batch = each.problem.batch;
  if (!batch.table.empty()) batch.table.assign(1, BatchOffsets(batch.table.back()));
}

void tight(Case& each) {
  for (auto* layout : {&each.problem.a, &each.problem.b, &each.problem.c, &each.problem.epilogue.residual}) {
    layout->ld = 0;
  }
}

void without_offsets(Case& each) {
  for (auto* layout : {&each.problem.a, &each.problem.b, &each.problem.c, &each.problem.epilogue.residual}) {
    layout->offset = 0;
  }
}

void halve(std::uint64_t& size) {
  if (size > 1) size /= 2;
}

void one_less(std::uint64_t& size) {
  if (size > 1) --size;
}

// The large steps first.
constexpr std::array<Named, 23> kSteps{{
    {"no-batch", without_batch},
    {"last-product", last_product},
    {"no-bias", [](Case& each) { each.problem.epilogue.bias = Bias::none; }},
    {"no-activation", [](Case& each) { each.problem.epilogue.activation = Activation::none; }},
    {"no-residual", [](Case& each) { each.problem.epilogue.add_residual = false; }},
    {"no-beta", [](Case& each) { each.problem.beta = 0; }},
    {"no-alpha", [](Case& each) { each.problem.alpha = 1; }},
    {"no-split", [](Case& each) { each.options.split_k = 1; }},
    {"no-padding", [](Case& each) { each.options.edges = EdgePolicy::checked; }},
    {"in-kernel", [](Case& each) { each.options.dequantise = false; }},
    {"no-limit",
     [](Case& each) {
       each.workgroups_per_dimension = 0;
       each.binding_bytes = 0;
     }},
    {"no-offsets", without_offsets},
    {"tight", tight},
    {"no-zeros", [](Case& each) { each.problem.quantization.zeros = false; }},
    {"f32-out",
     [](Case& each) {
       if (is_floating(each.problem.c.type)) each.problem.c.type = DataType::f32;
     }},
    {"plain-a", [](Case& each) { each.problem.trans_a = Transpose::none; }},
    {"plain-b",
     [](Case& each) {
       if (each.problem.quantization.block == 0) each.problem.trans_b = Transpose::none;
     }},
    {"m/2", [](Case& each) { halve(each.problem.m); }},
    {"n/2", [](Case& each) { halve(each.problem.n); }},
    {"k/2", [](Case& each) { halve(each.problem.k); }},
    {"m-1", [](Case& each) { one_less(each.problem.m); }},
    {"n-1", [](Case& each) { one_less(each.problem.n); }},
    {"k-1", [](Case& each) { one_less(each.problem.k); }},
}};

}  // namespace

bool simplify(Case& each, std::string_view step) {
  const auto* const found = std::ranges::find(kSteps, step, &Named::name);
  if (found == kSteps.end()) return false;
  const auto before = describe(each);
  found->take(each);
  return describe(each) != before;
}

std::vector<std::string> simplify_while(Case& each, const std::function<bool(const Case&)>& fails,
                                        std::size_t trials) {
  std::vector<std::string> taken;
  bool smaller = true;
  while (smaller) {
    smaller = false;
    for (const auto& step : kSteps) {
      auto candidate = each;
      // A problem that is not valid any more (a leading dimension, say) is none.
      if (!simplify(candidate, step.name) || !validate(candidate.problem)) continue;
      if (trials-- == 0) return taken;
      if (!fails(candidate)) continue;
      each = candidate;
      taken.emplace_back(step.name);
      smaller = true;
    }
  }
  return taken;
}

}  // namespace wgemm::verify::fuzz
