#include "native/adapter/profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include "core/kernels/deny_list.hpp"
#include "native/adapter/backend.hpp"
#include "native/string_view.hpp"

namespace wgemm::native {

namespace {

struct NamedNumber {
  std::uint32_t number;
  std::string_view name;
};

/// PCI vendors, and Khronos's numbers for software, spelled as Dawn and browsers do.
constexpr std::array<NamedNumber, 14> kVendors = {{{0x1002, "amd"},
                                                   {0x1010, "img-tec"},
                                                   {0x106B, "apple"},
                                                   {0x10DE, "nvidia"},
                                                   {0x13B5, "arm"},
                                                   {0x1414, "microsoft"},
                                                   {0x144D, "samsung"},
                                                   {0x14E4, "broadcom"},
                                                   {0x19E5, "huawei"},
                                                   {0x1AE0, "google"},
                                                   {0x5143, "qualcomm"},
                                                   {0x8086, "intel"},
                                                   {0x10005, "mesa"},
                                                   {0x10006, "pocl"}}};

constexpr std::array<NamedNumber, 32> kFeatures = {
    {{0x01, "core-features-and-limits"},
     {0x02, "depth-clip-control"},
     {0x03, "depth32float-stencil8"},
     {0x04, "texture-compression-bc"},
     {0x05, "texture-compression-bc-sliced-3d"},
     {0x06, "texture-compression-etc2"},
     {0x07, "texture-compression-astc"},
     {0x08, "texture-compression-astc-sliced-3d"},
     {0x09, "timestamp-query"},
     {0x0A, "indirect-first-instance"},
     {0x0B, "shader-f16"},
     {0x0C, "rg11b10ufloat-renderable"},
     {0x0D, "bgra8unorm-storage"},
     {0x0E, "float32-filterable"},
     {0x0F, "float32-blendable"},
     {0x10, "clip-distances"},
     {0x11, "dual-source-blending"},
     {0x12, "subgroups"},
     {0x13, "texture-formats-tier1"},
     {0x14, "texture-formats-tier2"},
     {0x15, "primitive-index"},
     {0x16, "texture-component-swizzle"},
     {0x17, "subgroup-size-control"},
     {0x30008, "wgpu-pipeline-statistics-query"},
     {0x3000E, "wgpu-mappable-primary-buffers"},
     {0x30021, "wgpu-subgroup"},
     {0x50000, "dawn-internal-usages"},
     {0x50003, "chromium-experimental-timestamp-query-inside-passes"},
     {0x50004, "implicit-device-synchronization"},
     {0x5000F, "host-mapped-pointer"},
     {0x50034, "chromium-experimental-subgroup-matrix"},
     {0x50014, "adapter-properties-memory-heaps"}}};

template <std::size_t Count>
std::optional<std::string_view> find_name(const std::array<NamedNumber, Count>& table, std::uint32_t number) {
  const auto found = std::ranges::find(table, number, &NamedNumber::number);
  return found == table.end() ? std::nullopt : std::optional(found->name);
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(),
                         [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return result;
}

bool contains_any(const std::string& text, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words,
                             [&](std::string_view word) { return text.find(word) != std::string::npos; });
}

AdapterType to_type(WGPUAdapterType type, const std::string& words) {
  // Some drivers call a software rasteriser "other" or even an integrated GPU.
  if (type == WGPUAdapterType_CPU ||
      contains_any(words, {"llvmpipe", "lavapipe", "swiftshader", "basic render", "softpipe"})) {
    return AdapterType::software;
  }
  if (type == WGPUAdapterType_DiscreteGPU) {
    return AdapterType::discrete;
  }
  return type == WGPUAdapterType_IntegratedGPU ? AdapterType::integrated : AdapterType::unknown;
}

/// wgpu-native names none; software adapters are told apart all the same, as Dawn does.
std::string architecture(std::string_view reported, AdapterType type, const std::string& words) {
  if (!reported.empty() || type != AdapterType::software) {
    return lower(reported);
  }
  return contains_any(words, {"swiftshader"}) ? "swiftshader" : "software";
}

std::optional<DataType> to_type(DawnMatrixComponent component) {
  switch (component) {
    case DawnMatrixComponent::f32:
      return DataType::f32;
    case DawnMatrixComponent::f16:
      return DataType::f16;
    default:
      return std::nullopt;
  }
}

std::vector<MatrixConfig> to_configs(const DawnSubgroupMatrixConfigs& reported) {
  std::vector<MatrixConfig> configs;
  for (std::size_t i = 0; i < reported.config_count; ++i) {
    const DawnSubgroupMatrixConfig& config = reported.configs[i];
    const auto component = to_type(config.component);
    const auto result = to_type(config.result);
    if (component && result) {
      configs.push_back({*component, *result, config.m, config.n, config.k});
    }
  }
  return configs;
}

bool has(const std::vector<WGPUFeatureName>& features, WGPUFeatureName feature) {
  return std::ranges::find(features, feature) != features.end();
}

}  // namespace

WGPUFeatureName subgroup_feature(LibraryKind kind) {
  return kind == LibraryKind::dawn ? WGPUFeatureName_Subgroups : kWgpuSubgroupFeature;
}

std::vector<WGPUFeatureName> adapter_features(const Library& library, WGPUAdapter adapter) {
  WGPUSupportedFeatures supported{};
  library.functions().AdapterGetFeatures(adapter, &supported);
  std::vector<WGPUFeatureName> features(supported.features, supported.features + supported.featureCount);
  library.functions().SupportedFeaturesFreeMembers(supported);
  return features;
}

Limits to_limits(const WGPULimits& limits) {
  return {
      .max_storage_buffer_binding_size = limits.maxStorageBufferBindingSize,
      .max_buffer_size = limits.maxBufferSize,
      .max_compute_workgroup_storage_size = limits.maxComputeWorkgroupStorageSize,
      .max_compute_invocations_per_workgroup = limits.maxComputeInvocationsPerWorkgroup,
      .max_compute_workgroup_size_x = limits.maxComputeWorkgroupSizeX,
      .max_compute_workgroup_size_y = limits.maxComputeWorkgroupSizeY,
      .max_compute_workgroup_size_z = limits.maxComputeWorkgroupSizeZ,
      .max_compute_workgroups_per_dimension = limits.maxComputeWorkgroupsPerDimension,
      .max_storage_buffers_per_shader_stage = limits.maxStorageBuffersPerShaderStage,
      .min_storage_buffer_offset_alignment = limits.minStorageBufferOffsetAlignment,
      .min_uniform_buffer_offset_alignment = limits.minUniformBufferOffsetAlignment,
  };
}

DeviceProfile adapter_profile(const Library& library, WGPUAdapter adapter,
                              const std::vector<WGPUFeatureName>& features) {
  const Functions& gpu = library.functions();
  const bool dawn = library.kind() == LibraryKind::dawn;
  const bool matrices = dawn && has(features, kDawnSubgroupMatrixFeature) &&
                        gpu.AdapterPropertiesSubgroupMatrixConfigsFreeMembers;
  DawnSubgroupMatrixConfigs configs{};
  configs.chain.sType = kDawnSubgroupMatrixConfigs;
  WGPUAdapterInfo info{};
  info.nextInChain = matrices ? &configs.chain : nullptr;
  gpu.AdapterGetInfo(adapter, &info);

  DeviceProfile profile;
  const std::string_view description = to_view(info.description);
  profile.name = std::string(info.device.length > 0 ? to_view(info.device) : description);
  // wgpu-native puts the driver's name into "vendor" and its version into "description".
  profile.driver = dawn ? std::string(description) : fmt::format("{} {}", to_view(info.vendor), description);
  profile.driver.erase(profile.driver.find_last_not_of(' ') + 1);
  const std::string words = lower(profile.name + " " + profile.driver);
  profile.type = to_type(info.adapterType, words);
  profile.vendor = find_name(kVendors, info.vendorID).value_or(lower(to_view(info.vendor)));
  profile.architecture = architecture(to_view(info.architecture), profile.type, words);
  profile.backend = backend_name(info.backendType);
  profile.library = library.capabilities().name;
  profile.library_version = library.version();
  profile.vendor_id = info.vendorID;
  profile.device_id = info.deviceID;
  profile.dialect = library.capabilities().dialect;
  profile.shader_f16 = has(features, WGPUFeatureName_ShaderF16);
  profile.subgroups = has(features, subgroup_feature(library.kind()));
  profile.timestamps = has(features, WGPUFeatureName_TimestampQuery);
  profile.subgroup_min_size = info.subgroupMinSize;
  profile.subgroup_max_size = info.subgroupMaxSize;
  if (matrices) {
    profile.matrix_configs = to_configs(configs);
    profile.matrix_dialect = MatrixDialect::majorness_template;
    gpu.AdapterPropertiesSubgroupMatrixConfigsFreeMembers(configs);
  }
  gpu.AdapterInfoFreeMembers(info);
  kernels::apply(kernels::deny_list(), profile);

  WGPULimits limits{};
  gpu.AdapterGetLimits(adapter, &limits);
  profile.limits = to_limits(limits);
  return profile;
}

DeviceProfile device_profile(const Library& library, const std::optional<DeviceProfile>& given,
                             WGPUAdapter adapter, const std::vector<WGPUFeatureName>& features,
                             const Limits& limits) {
  DeviceProfile profile = given ? *given : adapter_profile(library, adapter, features);
  profile.library = library.capabilities().name;
  profile.library_version = library.version();
  profile.dialect = library.capabilities().dialect;
  profile.limits = limits;
  profile.shader_f16 = has(features, WGPUFeatureName_ShaderF16);
  profile.subgroups = has(features, subgroup_feature(library.kind()));
  profile.timestamps = has(features, WGPUFeatureName_TimestampQuery);
  if (!has(features, kDawnSubgroupMatrixFeature) || library.kind() != LibraryKind::dawn) {
    profile.matrix_configs.clear();
    profile.denied_matrix_configs.clear();
    profile.matrix_dialect = MatrixDialect::none;
  }
  return profile;
}

std::string feature_name(WGPUFeatureName feature) {
  const auto number = static_cast<std::uint32_t>(feature);
  const auto name = find_name(kFeatures, number);
  return name ? std::string(*name) : fmt::format("{:#x}", number);
}

}  // namespace wgemm::native
