// Keeps Dawn from printing: warnings of adapter discovery reach the terminal unless the instance has a
// logging callback, and that is set through a C++ struct which no header of Dawn's C interface describes.
#pragma once

#include <webgpu.h>

#include <array>
#include <cstddef>

#include "native/library/log_hub.hpp"
#include "native/library/shared_object.hpp"

namespace wgemm::native {

/// Dawn's instance descriptor, made by the library's own constructor. Used only where what the constructor
/// wrote is exactly the layout that is known here; otherwise Dawn goes on printing, which is all that is
/// lost.
class DawnInstanceLogging {
 public:
  /// `hub` must outlive every instance that is made with the chain.
  DawnInstanceLogging(const SharedObject& library, LogHub& hub);

  /// To be chained to WGPUInstanceDescriptor, with `next` behind it; `next` itself where the layout is not
  /// known. Points into this object, which must live until the instance is made.
  WGPUChainedStruct* chain(WGPUChainedStruct* next);
  [[nodiscard]] bool active() const { return active_; }

 private:
  static constexpr std::size_t kBytes = 256;
  alignas(std::max_align_t) std::array<std::byte, kBytes> descriptor_{};
  bool active_ = false;
};

}  // namespace wgemm::native
