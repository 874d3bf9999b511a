// Part of limen. SPDX-License-Identifier: MIT
//
// The schemas of the family's operators. They are fixed: exported programs and checkpoints of graphs hold them
// (docs/operators.md).
#include <torch/library.h>

TORCH_LIBRARY(limen, m) {
  m.def("activation(Tensor input, str name, float[] numbers, Tensor?[] tensors, int axis) -> Tensor",
        {at::Tag::pt2_compliant_tag});
  m.def("activation_(Tensor(a!) self, str name, float[] numbers, Tensor?[] tensors, int axis) -> Tensor(a!)",
        {at::Tag::pt2_compliant_tag});
  m.def(
      "activation_backward(Tensor grad_output, Tensor input, str name, float[] numbers, Tensor?[] tensors, int axis, "
      "bool[] needs) -> Tensor[]",
      {at::Tag::pt2_compliant_tag});
  m.def(
      "activation_second_backward(Tensor grad_output, Tensor input, str name, float[] numbers, Tensor?[] tensors, int "
      "axis, Tensor? v, Tensor?[] w, bool[] needs) -> Tensor[]",
      {at::Tag::pt2_compliant_tag});
  m.def(
      "fused_activation(Tensor input, Tensor? bias, Tensor? factor, str name, float[] numbers, Tensor?[] tensors, int "
      "axis, float dropout, int seed, int site, int step) -> Tensor",
      {at::Tag::pt2_compliant_tag});
  m.def(
      "fused_activation_backward(Tensor grad_output, Tensor input, Tensor? bias, Tensor? factor, str name, float[] "
      "numbers, Tensor?[] tensors, int axis, float dropout, int seed, int site, int step, bool[] needs) -> Tensor[]",
      {at::Tag::pt2_compliant_tag});
}
