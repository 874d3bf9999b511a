// Part of limen. SPDX-License-Identifier: MIT
#include "blocks/attention.h"

#include <torch/types.h>

#include <cmath>
#include <limits>

namespace limen::blocks {

CausalAttentionImpl::CausalAttentionImpl(const CausalAttentionOptions& options)
    : heads_(options.heads),
      qkv_(register_module("qkv", Linear(options.width, 3 * options.width))),
      out_(register_module("out", Linear(options.width, options.width))),
      weights_dropout_(register_module("weights_dropout", Dropout(options.dropout, options.weights_dropout_site))),
      output_dropout_(register_module("output_dropout", Dropout(options.dropout, options.output_dropout_site))) {}

at::Tensor CausalAttentionImpl::forward(const at::Tensor& x, const Context& context) {
  const std::int64_t batch = x.size(0), time = x.size(1), width = x.size(2), head_width = width / heads_;
  // One copy brings each head's rows together, as the batched products want them.
  const at::Tensor qkv = qkv_(x).view({batch, time, 3, heads_, head_width}).permute({2, 0, 3, 1, 4}).contiguous();
  const auto heads = qkv.view({3, batch * heads_, time, head_width}).unbind(0);
  // 0 on and below the diagonal, -inf above it. Made anew where x is: a member would stay behind when the module moves,
  // and a registered buffer would stand in every checkpoint.
  const at::Tensor mask = at::full({time, time}, -std::numeric_limits<double>::infinity(), x.options()).triu_(1);
  const double scale = 1 / std::sqrt(static_cast<double>(head_width));
  const at::Tensor scores =
      at::baddbmm(mask.expand({batch * heads_, time, time}), heads[0], heads[1].transpose(1, 2), 1, scale);
  const at::Tensor weights = weights_dropout_(at::softmax(scores, -1), context);
  const at::Tensor y = at::bmm(weights, heads[2]).view({batch, heads_, time, head_width}).transpose(1, 2);
  return output_dropout_(out_(y.reshape({batch, time, width})), context);
}

}  // namespace limen::blocks
