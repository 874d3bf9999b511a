// Part of limen. SPDX-License-Identifier: MIT
//
// Tensors in a safetensors file (https://github.com/huggingface/safetensors): an 8-byte little-endian header length, a
// JSON header, the tensors' bytes. Types F64, F32, BF16, F16, I64, I32, U8, BOOL. Reading such a file runs nothing that
// is in it.
#pragma once

#include <ATen/core/Tensor.h>

#include <filesystem>
#include <map>
#include <string>

namespace limen::io {

using TensorMap = std::map<std::string, at::Tensor>;

struct SafeTensors {
  TensorMap tensors;
  std::map<std::string, std::string> metadata;
};

/// Writes as write_file does. Equal content gives equal bytes: tensors from the widest type to the narrowest, then by
/// name, as the reference package orders them, so that each is aligned. Tensors of any device and strides; those that
/// share storage are written once each under their own name. Throws limen::Error naming the tensor whose type is not in
/// the list above.
void write_safetensors(const std::filesystem::path& path, const SafeTensors& content);

/// Contiguous tensors on the CPU. Before anything is allocated every header field is checked, as the reference package
/// does: known types, sizes that multiply without overflow, byte ranges that fit their shape and fill the file without
/// gap or overlap, no name twice, a header of at most 100 MB. Throws SystemError naming file and tensor.
SafeTensors read_safetensors(const std::filesystem::path& path);

}  // namespace limen::io
