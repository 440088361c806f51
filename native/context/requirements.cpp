#include "native/context/requirements.hpp"

#include <algorithm>

#include "native/adapter/profile.hpp"
#include "native/string_view.hpp"

namespace wgemm::native {

std::shared_ptr<const Requirements> requirements(const Library& library, WGPUAdapter adapter,
                                                 const std::vector<WGPUFeatureName>& offered, bool minimum,
                                                 bool unchecked_shaders) {
  auto made = std::make_shared<Requirements>();
  const bool dawn = library.kind() == LibraryKind::dawn;
  made->features = {WGPUFeatureName_TimestampQuery};
  if (dawn) {
    made->features.push_back(kDawnThreadSafeFeature);
  }
  if (!minimum) {
    made->features.insert(made->features.end(),
                          {WGPUFeatureName_ShaderF16, subgroup_feature(library.kind())});
    if (dawn) {
      made->features.push_back(kDawnSubgroupMatrixFeature);
    }
  }
  std::erase_if(made->features, [&](WGPUFeatureName feature) {
    return std::ranges::find(offered, feature) == offered.end();
  });
  library.functions().AdapterGetLimits(adapter, &made->limits);
  made->limits.nextInChain = nullptr;
  made->toggles = native::dawn_toggles(unchecked_shaders);
  made->descriptor.nextInChain = dawn ? &made->toggles.chain : nullptr;
  made->descriptor.label = from_view("wgemm");
  made->descriptor.requiredFeatureCount = made->features.size();
  made->descriptor.requiredFeatures = made->features.data();
  made->descriptor.requiredLimits = minimum ? nullptr : &made->limits;
  return made;
}

std::string_view reason_for(WGPUFeatureName feature) {
  if (feature == WGPUFeatureName_TimestampQuery) {
    return "times measured by the device's own clock";
  }
  if (feature == WGPUFeatureName_ShaderF16) {
    return "f16 matrices without unpacking, and f16 accumulation";
  }
  if (feature == kDawnThreadSafeFeature) {
    return "calls from several threads";
  }
  if (feature == kDawnSubgroupMatrixFeature) {
    return "the matrix units, for the subgroup-matrix kernels";
  }
  return "subgroups: kernels that share data between lanes";
}

}  // namespace wgemm::native
