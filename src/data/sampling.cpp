// Part of limen. SPDX-License-Identifier: MIT
#include "data/sampling.h"

#include <algorithm>
#include <cassert>
#include <string>

#include "limen/error.h"

namespace limen::data {

Windows::Windows(std::span<const std::uint16_t> tokens, std::int64_t context, std::size_t vocabulary,
                 std::string_view name)
    : tokens_(tokens), context_(static_cast<std::size_t>(context)), count_(0) {
  if (context < 1) throw Error("context: expected at least 1 token, got " + std::to_string(context));
  if (tokens.size() < 2 || tokens.size() - 2 < context_)
    throw Error("text " + std::string(name) + ": expected at least " + std::to_string(context_ + 2) +
                " tokens for a context of " + std::to_string(context) + ", got " + std::to_string(tokens.size()) +
                "; try a longer text or a shorter context");
  const auto beyond =
      std::find_if(tokens.begin(), tokens.end(), [&](std::uint16_t token) { return token >= vocabulary; });
  if (beyond != tokens.end())
    throw Error("text " + std::string(name) + ": expected tokens below " + std::to_string(vocabulary) +
                ", the vocabulary's size, got " + std::to_string(*beyond) + " at place " +
                std::to_string(beyond - tokens.begin()));
  count_ = tokens.size() - context_ - 1;
}

void Windows::copy(std::uint64_t start, std::span<std::int64_t> inputs, std::span<std::int64_t> targets) const {
  assert(start < count_ && inputs.size() == context_ && targets.size() == context_);
  std::copy_n(tokens_.begin() + static_cast<std::ptrdiff_t>(start), context_, inputs.begin());
  std::copy_n(tokens_.begin() + static_cast<std::ptrdiff_t>(start) + 1, context_, targets.begin());
}

void Windows::sample(const math::Stream& stream, std::span<std::int64_t> inputs, std::span<std::int64_t> targets,
                     std::uint64_t first) const {
  assert(inputs.size() == targets.size() && inputs.size() % context_ == 0);
  for (std::size_t row = 0; row < inputs.size() / context_; ++row)
    copy(stream.below(count_, first + row), inputs.subspan(row * context_, context_),
         targets.subspan(row * context_, context_));
}

}  // namespace limen::data
