// The configurations of a family: those that its constraints allow, whatever the device.
#include <algorithm>

#include "core/kernels/kernel.hpp"
#include "core/text/expression.hpp"

namespace wgemm::kernels {
namespace {

bool mentions(std::string_view expression, std::string_view name) {
  for (auto at = expression.find(name); at != std::string_view::npos; at = expression.find(name, at + 1)) {
    const auto end = at + name.size();
    const bool begins = at == 0 || !text::is_name_character(expression[at - 1]);
    if (begins && (end == expression.size() || !text::is_name_character(expression[end]))) return true;
  }
  return false;
}

/// Sets the parameters one after the other. A constraint is asked as soon as the parameters that it speaks of
/// are set, so that what it forbids is never gone into: of millions of combinations few are allowed.
class Walk {
 public:
  Walk(const Family& family, const std::function<void(const Kernel&)>& visit)
      : kernel_{&family, {}}, asked_(family.parameters.size()), visit_(visit) {
    for (const auto& constraint : family.constraints) {
      std::size_t last = 0;
      for (std::size_t i = 0; i < family.parameters.size(); ++i) {
        if (mentions(constraint.expression, family.parameters[i].name)) last = i;
      }
      asked_.at(last).push_back(constraint.expression);
    }
    for (const auto& parameter : family.parameters) kernel_.values.push_back(parameter.standard);
  }

  void from(std::size_t index) {
    if (index == kernel_.values.size()) {
      visit_(kernel_);
      return;
    }
    const auto& parameter = kernel_.family->parameters[index];
    for (const auto value : parameter.values) {
      kernel_.values[index] = value;
      names_.set(parameter.name, value);
      const bool allowed = std::ranges::all_of(asked_[index], [&](std::string_view expression) {
        return text::evaluate(expression, names_).value_or(0) != 0;
      });
      if (allowed) from(index + 1);
    }
  }

 private:
  Kernel kernel_;
  text::Environment names_;  ///< of the parameters that are set; those behind them have old values
  std::vector<std::vector<std::string_view>>
      asked_;  ///< constraints by the last parameter that they speak of
  const std::function<void(const Kernel&)>& visit_;
};

}  // namespace

void for_each_configuration(const Family& family, const std::function<void(const Kernel&)>& visit) {
  Walk(family, visit).from(0);
}

std::vector<Kernel> enumerate(const Family& family) {
  std::vector<Kernel> all;
  for_each_configuration(family, [&](const Kernel& kernel) { all.push_back(kernel); });
  return all;
}

}  // namespace wgemm::kernels
