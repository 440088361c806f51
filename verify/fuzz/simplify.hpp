// Makes a failing case smaller, one named step at a time, so that a name brings the smaller one back.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "verify/fuzz/draw.hpp"

namespace wgemm::verify::fuzz {

/// Takes a step; false where it changes nothing or there is none of that name.
bool simplify(Case& each, std::string_view step);

/// Takes as many steps as keep `fails` true, and gives their names in order. At most `trials` calls.
std::vector<std::string> simplify_while(Case& each, const std::function<bool(const Case&)>& fails,
                                        std::size_t trials);

}  // namespace wgemm::verify::fuzz
