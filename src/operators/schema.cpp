// Part of limen. SPDX-License-Identifier: MIT
//
// The schema of the operator pair. It is fixed: exported programs and checkpoints of graphs hold it
// (docs/operators.md).
#include <torch/library.h>

TORCH_LIBRARY(limen, m) {
  m.def("activation(Tensor input, str name, float[] numbers, Tensor?[] tensors, int axis) -> Tensor",
        {at::Tag::pt2_compliant_tag});
  m.def(
      "activation_backward(Tensor grad_output, Tensor input, str name, float[] numbers, Tensor?[] tensors, int axis, "
      "bool[] needs) -> Tensor[]",
      {at::Tag::pt2_compliant_tag});
}
