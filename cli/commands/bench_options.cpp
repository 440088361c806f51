#include "cli/commands/bench_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <limits>
#include <utility>

#include "bench/suites.hpp"
#include "cli/commands/ranges.hpp"

namespace wgemm::cli {
namespace {

constexpr auto kProducts = "Products";
constexpr auto kHow = "How they are run";
constexpr std::uint64_t kMostPasses = 100;
constexpr std::string_view kChoice = "auto";  ///< the engine's choice among named kernels

Result<std::vector<std::uint32_t>> parse_splits(const std::vector<std::string>& words) {
  const auto values = parse_ranges("--split-k", words);
  if (!values) return tl::unexpected(values.error());
  return std::vector<std::uint32_t>(values->begin(), values->end());
}

/// Accepts a time that is not over before it begins.
CLI::Validator seconds_check() {
  const auto check = [](const std::string& text) {
    double value = 0;
    if (CLI::detail::lexical_cast(text, value) && std::isfinite(value) && value > 0) return std::string();
    return fmt::format("'{}' is no number of seconds above 0", text);
  };
  return {check, ""};
}

/// A list of words, separated by commas.
CLI::Option* add_list(CLI::App& app, const std::string& name, std::vector<std::string>& target,
                      const std::string& type, const std::string& description, const char* group) {
  return app.add_option(name, target, description)->delimiter(',')->type_name(type)->group(group);
}

}  // namespace

void BenchOptions::add_to(CLI::App& app) {
  add_list(app, "--size,SIZE", sizes, "SIZES",
           "Squares, ranges of them, or m x n x k: 512,64:192:64,1x4096x4096. Default: 4096, and 256 on a "
           "software adapter",
           kProducts);
  add_list(app, "--m", m, "SIZES", "Rows of A and C: values and ranges start:end:step. With --n and --k",
           kProducts);
  add_list(app, "--n", n, "SIZES", "Columns of B and C", kProducts);
  add_list(app, "--k", k, "SIZES", "Columns of A, rows of B; every combination is run", kProducts);
  add_list(app, "--batch", batch, "COUNTS", "Products in a batch. Default: 1", kProducts);
  add_list(app, "--suite", suites, "NAMES",
           fmt::format("Lists of products: {}", fmt::join(names_of(bench::list_suites()), ", ")), kProducts);
  add_list(app, "--types", types, "TYPES",
           fmt::format("Types that go together, of {}. Default: f32",
                       fmt::join(names_of(bench::list_types()), ", ")),
           kProducts)
      ->check(one_of(names_of(bench::list_types())));
  add_list(
      app, "--layouts", layouts, "LAYOUTS",
      "How A and B are stored, as in BLAS: nn, nt, tn, tt; t is transposed. Weights in 4 bits are always "
      "t. Default: nn, or what a suite says",
      kProducts)
      ->check(one_of({std::begin(bench::kLayouts), std::end(bench::kLayouts)}));

  add_list(app, "--kernels", kernels, "NAMES",
           "Kernels by name, see `wgemm emit --list`; auto is the planner's choice. Default: auto", kHow);
  add_list(app, "--split-k", splits, "PARTS", "Parts into which k is cut. Default: the planner's choice",
           kHow);
  app.add_flag("--prepared", prepared, "Each row again with B prepared once, its preparation not in the time")
      ->group(kHow);
  app.add_flag("--prepared-only", prepared_only, "Each row with B prepared once, and in no other way")
      ->group(kHow);
  add_choice(
      app, "--shaders", shaders, {"checked", "unchecked", "both"},
      "With the bounds checks that the WebGPU library adds to shaders, without them where a plan proves "
      "them needless, or both in turn. Default: checked")
      ->group(kHow);
  app.add_option(
         "--passes", passes,
         "Times that all rows are measured, one after the other: what moves a whole measurement shows "
         "between them. Default: 2")
      ->check(whole_number(1, kMostPasses))
      ->type_name("N")
      ->group(kHow);
  app.add_option("--budget", budget,
                 "Begin no row after that many seconds; passes after the first are left out then. Default: "
                 "all are run")
      ->check(seconds_check())
      ->type_name("SECONDS")
      ->group(kHow);
  app.add_option("--seed", seed, "Seed of the random inputs. Default: 1")
      ->check(whole_number(0, std::numeric_limits<std::uint64_t>::max()))
      ->type_name("N")
      ->group(kHow);
  app.add_flag("--software", software, "Run a suite on a software adapter too, which takes hours")
      ->group(kHow);
  app.add_flag("--list", list, "List the rows instead of running them; needs no device")->group(kHow);

  app.add_option("--compare", compare, "Compare with the rows of an earlier --json FILE, or of a peer's")
      ->type_name("FILE")
      ->group("Reports");
  app.add_option("--from", from,
                 "Take the rows and figures of an earlier --json FILE instead of measuring; needs no device")
      ->type_name("FILE")
      ->group("Reports");
  app.add_flag("--commands", commands, "Print below each row the command that runs it alone")
      ->group("Reports");
  reports.add_all_to(app);
  device.add_to(app);
}

Result<std::vector<bench::Product>> BenchOptions::products() const {
  std::vector<bench::Product> products;
  auto given = parse_shapes("--size", sizes);
  if (!given) return given;
  const bool some = !m.empty() || !n.empty() || !k.empty();
  if (some && (m.empty() || n.empty() || k.empty())) {
    return fail(ErrorCode::invalid_argument, "--m",
                "--m, --n and --k go together: give all three, or sizes as in 1x4096x4096");
  }
  const auto all_m = parse_ranges("--m", m);
  if (!all_m) return tl::unexpected(all_m.error());
  const auto all_n = parse_ranges("--n", n);
  if (!all_n) return tl::unexpected(all_n.error());
  const auto all_k = parse_ranges("--k", k);
  if (!all_k) return tl::unexpected(all_k.error());
  for (const auto each_m : *all_m) {
    for (const auto each_n : *all_n) {
      for (const auto each_k : *all_k) given->push_back({each_m, each_n, each_k});
    }
  }
  const auto batches = parse_ranges("--batch", batch);
  if (!batches) return tl::unexpected(batches.error());
  if (!batches->empty() && given->empty() && !suites.empty()) {
    return fail(ErrorCode::invalid_argument, "--batch",
                "--batch: a suite has batches of its own; give sizes beside it");
  }
  for (auto product : *given) {
    for (const auto count : batches->empty() ? std::vector<std::uint64_t>{1} : *batches) {
      product.batch = count;
      products.push_back(product);
    }
  }
  for (const auto& suite : suites) {
    const auto of_suite = bench::suite_products(suite);
    if (!of_suite)
      return fail(ErrorCode::invalid_argument, "--suite", "--suite: " + of_suite.error().message);
    products.insert(products.end(), of_suite->begin(), of_suite->end());
  }
  return products;
}

Result<bench::Variations> BenchOptions::variations() const {
  bench::Variations variations{types, layouts, {}, {}, prepared || prepared_only, !prepared_only};
  for (const auto& word : kernels) {
    if (word == kChoice) {
      variations.kernels.emplace_back();
      continue;
    }
    const auto name = find_kernel("--kernels", word);
    if (!name) return tl::unexpected(name.error());
    variations.kernels.push_back(*name);
  }
  const auto parts = parse_splits(splits);
  if (!parts) return tl::unexpected(parts.error());
  variations.splits = *parts;
  return variations;
}

Result<std::vector<bench::Row>> BenchOptions::rows(const std::vector<bench::Product>& products) const {
  const auto varied = variations();
  if (!varied) return tl::unexpected(varied.error());
  return bench::rows_of(products, *varied);
}

std::string BenchOptions::reproduction(const bench::Row& row) const {
  const auto& product = row.product;
  auto command = fmt::format("wgemm bench {}x{}x{}", product.m, product.n, product.k);
  if (product.batch != 1) command += fmt::format(" --batch {}", product.batch);
  command += fmt::format(" --types {} --layouts {}", product.types, product.layout);
  if (!row.wanted_kernel.empty()) command += " --kernels " + row.wanted_kernel;
  if (row.wanted_split != 0) command += fmt::format(" --split-k {}", row.wanted_split);
  if (row.prepared) command += " --prepared-only";
  if (row.wanted_unchecked) command += " --shaders unchecked";
  if (passes != 2) command += fmt::format(" --passes {}", passes);
  if (seed != 1) command += fmt::format(" --seed {}", seed);
  return command + device.typed();
}

}  // namespace wgemm::cli
