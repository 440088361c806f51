// What a context goes by that was given no measured choices.
#pragma once

#include <memory>

#include "wgemm/options.hpp"
#include "wgemm/tuning.hpp"

namespace wgemm::native {

/// The user's file, and for what it says nothing of, what is shipped. A file that cannot be read or
/// understood counts for nothing and is told to the log.
std::shared_ptr<const TuningData> user_tuning(const LogCallback& log);

}  // namespace wgemm::native
