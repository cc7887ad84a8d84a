#pragma once

#include <string>
#include <string_view>

namespace tune::profile {

/// Throws Error for what people have beside their traces: archives, tensors, traces of other
/// profilers. They are told by how a file begins; JSON and what nobody recognises is not refused.
void refuse_other_format(const std::string& file, std::string_view beginning);

}  // namespace tune::profile
