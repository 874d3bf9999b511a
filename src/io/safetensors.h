// Part of limen. SPDX-License-Identifier: MIT
#pragma once

#include <ATen/core/Tensor.h>

#include <filesystem>
#include <map>
#include <string>

namespace limen::io {

using TensorMap = std::map<std::string, at::Tensor>;

/// A safetensors file (https://github.com/huggingface/safetensors): an 8-byte little-endian header length, a JSON header, the
/// tensors' bytes. Types F64, F32, BF16, F16, I64, I32, U8, BOOL.
struct SafeTensors {
  TensorMap tensors;
  std::map<std::string, std::string> metadata;
};

/// Written beside and renamed; equal content gives equal bytes. Tensors that share storage are written once each under their own name.
void write_safetensors(const std::filesystem::path& path, const SafeTensors& content);

/// Every header field is checked against the file's size before anything is allocated. Throws limen::Error naming file and tensor.
SafeTensors read_safetensors(const std::filesystem::path& path);

}  // namespace limen::io
