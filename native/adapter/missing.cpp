#include "native/adapter/missing.hpp"

#include <fmt/format.h>

namespace wgemm::native {

std::string missing_adapter_advice(const Library& library, std::string_view backend) {
  const std::string_view name = library.capabilities().name;
#if defined(__linux__)
  if (backend == "vulkan") {
    if (!SharedObject::open("libvulkan.so.1")) {
      return fmt::format(
          "{} found no adapter: the Vulkan loader is missing. Install it with "
          "`apt install libvulkan1`",
          name);
    }
    return fmt::format(
        "{} found no adapter: no Vulkan driver answers. Install the driver of your GPU (Debian: "
        "nvidia-driver, or "
        "mesa-vulkan-drivers for AMD and Intel); without a GPU `python3 tools/setup.py` fetches a software "
        "driver, which a program finds that calls wgemm::prepare_environment() before anything else. "
        "VK_DRIVER_FILES and VK_ICD_FILENAMES, where set, must name driver files that exist",
        name);
  }
#endif
  return fmt::format(
      "{} found no adapter for {}: install or update the driver of your GPU, or choose another backend", name,
      backend);
}

}  // namespace wgemm::native
