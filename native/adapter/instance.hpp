// The root object of a WebGPU library, and the adapters that it offers.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "native/handle.hpp"
#include "native/library/library.hpp"
#include "wgemm/device_profile.hpp"

namespace wgemm::native {

class Instance {
 public:
  /// An instance that looks at one backend only, since asking for all starts display servers and their
  /// chatter.
  static Result<std::shared_ptr<Instance>> create(Library& library, WGPUBackendType backend);

  /// One of the application's, with a reference added.
  static std::shared_ptr<Instance> adopt(Library& library, WGPUInstance instance);

  [[nodiscard]] Library& library() const { return *library_; }
  [[nodiscard]] WGPUInstance get() const { return instance_.get(); }
  [[nodiscard]] WGPUBackendType backend() const { return backend_; }

 private:
  Library* library_ = nullptr;
  WGPUBackendType backend_ = WGPUBackendType_Undefined;
  Handle<WGPUInstance> instance_;
};

/// One way to compute on this machine.
struct Adapter {
  std::shared_ptr<Instance> instance;  ///< declared first: an adapter is released before its instance
  Handle<WGPUAdapter> handle;
  DeviceProfile profile;
  std::vector<WGPUFeatureName> features;
};

/// Valid as long as the adapters stay where they are.
std::vector<const DeviceProfile*> profiles_of(const std::vector<Adapter>& adapters);

/// Every adapter of the instance, each once. Empty where there is none.
std::vector<Adapter> enumerate_adapters(const std::shared_ptr<Instance>& instance);

}  // namespace wgemm::native
