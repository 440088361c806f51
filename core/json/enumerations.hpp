// How many values each enumeration has, counted from 0, for reading their names back.
#pragma once

#include <cstddef>

#include "wgemm/device_profile.hpp"
#include "wgemm/plan.hpp"
#include "wgemm/planner.hpp"
#include "wgemm/problem.hpp"
#include "wgemm/tuning.hpp"

namespace wgemm::json {

template <typename T>
constexpr std::size_t kEnumerators = 0;

template <>
inline constexpr std::size_t kEnumerators<DataType> = static_cast<std::size_t>(DataType::u4) + 1;
template <>
inline constexpr std::size_t kEnumerators<Accumulate> = static_cast<std::size_t>(Accumulate::f16) + 1;
template <>
inline constexpr std::size_t kEnumerators<Order> = static_cast<std::size_t>(Order::col_major) + 1;
template <>
inline constexpr std::size_t kEnumerators<Bias> = static_cast<std::size_t>(Bias::per_column) + 1;
template <>
inline constexpr std::size_t kEnumerators<Activation> = static_cast<std::size_t>(Activation::clamp) + 1;
template <>
inline constexpr std::size_t kEnumerators<BufferRole> = static_cast<std::size_t>(BufferRole::scratch) + 1;
template <>
inline constexpr std::size_t kEnumerators<StepKind> = static_cast<std::size_t>(StepKind::reduce) + 1;
template <>
inline constexpr std::size_t kEnumerators<AdapterType> = static_cast<std::size_t>(AdapterType::unknown) + 1;
template <>
inline constexpr std::size_t kEnumerators<Dialect> = static_cast<std::size_t>(Dialect::naga) + 1;
template <>
inline constexpr std::size_t kEnumerators<MatrixDialect> =
    static_cast<std::size_t>(MatrixDialect::emulated) + 1;
template <>
inline constexpr std::size_t kEnumerators<EdgePolicy> = static_cast<std::size_t>(EdgePolicy::padded) + 1;
template <>
inline constexpr std::size_t kEnumerators<EpilogueClass> =
    static_cast<std::size_t>(EpilogueClass::reads_matrix) + 1;

}  // namespace wgemm::json
