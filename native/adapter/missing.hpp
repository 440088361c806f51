// What to tell someone whose machine offers no adapter.
#pragma once

#include <string>

#include "native/library/library.hpp"

namespace wgemm::native {

/// One or two sentences: what is missing for `library` on this machine and how to get it.
std::string missing_adapter_advice(const Library& library, std::string_view backend);

}  // namespace wgemm::native
