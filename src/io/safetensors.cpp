// Part of limen. SPDX-License-Identifier: MIT
#include "io/safetensors.h"

#include <ATen/Functions.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>
#include <vector>

#include "io/error.h"
#include "io/files.h"
#include "io/json.h"
#include "limen/error.h"

namespace limen::io {
namespace {

static_assert(std::endian::native == std::endian::little, "tensors are written as they lie in memory");

constexpr std::uint64_t header_limit = 100'000'000;  // of the reference package
constexpr const char* metadata_key = "__metadata__";

struct Type {
  const char* name;
  at::ScalarType scalar;
  std::uint64_t size;
};

// From the widest to the narrowest, in the reference package's order of writing.
constexpr std::array<Type, 8> types = {{{"I64", at::kLong, 8},
                                        {"F64", at::kDouble, 8},
                                        {"F32", at::kFloat, 4},
                                        {"I32", at::kInt, 4},
                                        {"BF16", at::kBFloat16, 2},
                                        {"F16", at::kHalf, 2},
                                        {"U8", at::kByte, 1},
                                        {"BOOL", at::kBool, 1}}};

// Writing.

struct Piece {
  std::string name;
  std::size_t rank;  // of its type in `types`
  at::Tensor tensor;
};

std::vector<Piece> pieces_in_order(const TensorMap& tensors) {
  std::vector<Piece> pieces;
  for (const auto& [name, tensor] : tensors) {
    if (name == metadata_key)
      throw Error("tensor " + name + ": expected another name; safetensors files keep this one for themselves");
    if (!tensor.defined()) throw Error("tensor " + name + ": expected a value, got an undefined tensor");
    const auto type =
        std::find_if(types.begin(), types.end(), [&](const Type& t) { return t.scalar == tensor.scalar_type(); });
    if (type == types.end())
      throw Error("tensor " + name + ": expected the type I64, F64, F32, I32, BF16, F16, U8 or BOOL, got " +
                  c10::toString(tensor.scalar_type()));
    pieces.push_back({name, static_cast<std::size_t>(type - types.begin()), tensor.detach().to(at::kCPU).contiguous()});
  }
  // The map gave them by name already.
  std::stable_sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) { return a.rank < b.rank; });
  return pieces;
}

std::string header_of(const std::vector<Piece>& pieces, const std::map<std::string, std::string>& metadata) {
  Json header = Json::object();
  if (!metadata.empty()) header[metadata_key] = metadata;
  std::uint64_t end = 0;
  for (const Piece& piece : pieces) {
    const std::uint64_t begin = end;
    end += piece.tensor.nbytes();
    header[piece.name] = {
        {"dtype", types[piece.rank].name}, {"shape", piece.tensor.sizes().vec()}, {"data_offsets", {begin, end}}};
  }
  std::string text = to_line(header);
  text.resize((text.size() + 7) / 8 * 8, ' ');  // so that tensors are aligned in a file that is mapped into memory
  return text;
}

// Reading.

struct Entry {
  std::string name;
  at::ScalarType type;
  std::vector<std::int64_t> shape;
  std::uint64_t begin, end;
};

class Reader {
 public:
  explicit Reader(const std::filesystem::path& path) : path_(path.string()), file_(path, std::ios::binary) {
    std::error_code error;
    size_ = std::filesystem::file_size(path, error);
    if (error || !file_) throw SystemError("cannot read " + path_ + ": " + (error ? error.message() : "no permission"));
  }

  SafeTensors read() {
    const nlohmann::json header = read_header();
    SafeTensors content;
    std::vector<Entry> entries;
    for (const auto& [name, value] : header.items()) {
      if (name == metadata_key)
        content.metadata = metadata(value);
      else
        entries.push_back(entry(name, value));
    }
    check_layout(entries);
    for (const Entry& e : entries) content.tensors.emplace(e.name, load(e));
    return content;
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw SystemError(path_ + " is not a sound safetensors file: " + why);
  }
  [[noreturn]] void refuse(const std::string& tensor, const std::string& why) const {
    refuse("tensor " + tensor + ": " + why);
  }

  void read_bytes(std::uint64_t position, char* target, std::uint64_t count) {
    file_.seekg(static_cast<std::streamoff>(position));
    if (count > 0 && !file_.read(target, static_cast<std::streamsize>(count)))
      throw SystemError("cannot read " + path_ + " to its end");
  }

  nlohmann::json read_header() {
    std::uint64_t length = 0;
    if (size_ < sizeof length)
      refuse("expected 8 bytes for the header's length, the file has " + std::to_string(size_));
    read_bytes(0, reinterpret_cast<char*>(&length), sizeof length);
    if (length > header_limit)
      refuse("its header would have " + std::to_string(length) + " bytes; at most " + std::to_string(header_limit) +
             " are allowed");
    if (length > size_ - sizeof length)
      refuse("its header would have " + std::to_string(length) + " bytes and only " +
             std::to_string(size_ - sizeof length) + " follow");
    data_begin_ = sizeof length + length;
    std::string text(length, '\0');
    read_bytes(sizeof length, text.data(), length);
    if (!text.starts_with('{')) refuse("its header does not begin with {");
    return parse(text);
  }

  nlohmann::json parse(const std::string& text) const {
    // nlohmann keeps the last of equal keys in silence, and depth costs memory: both are refused on the way.
    std::vector<std::set<std::string>> open;
    const auto check = [&](int depth, nlohmann::json::parse_event_t event, nlohmann::json& parsed) {
      using Event = nlohmann::json::parse_event_t;
      if (depth > 3) refuse("its header is nested too deeply");
      if (event == Event::object_start) open.emplace_back();
      if (event == Event::object_end) open.pop_back();
      if (event == Event::key && !open.back().insert(parsed.get<std::string>()).second)
        refuse("the name " + parsed.get<std::string>() + " occurs twice");
      return true;
    };
    try {
      auto header = nlohmann::json::parse(text, check);
      if (!header.is_object()) refuse("its header is not a JSON object");
      return header;
    } catch (const nlohmann::json::exception& error) {
      refuse(std::string("its header is not JSON: ") + error.what());
    }
  }

  std::map<std::string, std::string> metadata(const nlohmann::json& value) const {
    if (!value.is_object()) refuse("its metadata is not an object");
    std::map<std::string, std::string> out;
    for (const auto& [key, text] : value.items()) {
      if (!text.is_string()) refuse("its metadata entry " + key + " is not a text");
      out.emplace(key, text.get<std::string>());
    }
    return out;
  }

  Entry entry(const std::string& name, const nlohmann::json& value) const {
    const bool complete = value.is_object() && value.size() == 3 && value.contains("dtype") &&
                          value.contains("shape") && value.contains("data_offsets");
    if (!complete) refuse(name, "expected exactly dtype, shape and data_offsets");
    const auto type = std::find_if(types.begin(), types.end(), [&](const Type& t) { return value["dtype"] == t.name; });
    if (type == types.end())
      refuse(name, "unknown dtype " + value["dtype"].dump() + "; known are I64, F64, F32, I32, BF16, F16, U8, BOOL");
    Entry e{name, type->scalar, {}, 0, 0};

    constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (!value["shape"].is_array()) refuse(name, "its shape is not a list");
    std::uint64_t bytes = type->size;
    for (const auto& extent : value["shape"]) {
      if (!extent.is_number_unsigned() || extent.get<std::uint64_t>() > most)
        refuse(name, "its shape holds " + extent.dump() + ", which is no size");
      const auto n = extent.get<std::uint64_t>();
      if (n != 0 && bytes > most / n) refuse(name, "its shape has more elements than any file can hold");
      bytes *= n;
      e.shape.push_back(static_cast<std::int64_t>(n));
    }
    const auto& offsets = value["data_offsets"];
    if (!offsets.is_array() || offsets.size() != 2 || !offsets[0].is_number_unsigned() ||
        !offsets[1].is_number_unsigned())
      refuse(name, "its data_offsets are " + offsets.dump() + "; expected two sizes");
    e.begin = offsets[0].get<std::uint64_t>();
    e.end = offsets[1].get<std::uint64_t>();
    if (e.begin > e.end || e.end > size_ - data_begin_)
      refuse(name, "its bytes " + offsets.dump() + " are not within the file's " + std::to_string(size_ - data_begin_));
    if (e.end - e.begin != bytes)
      refuse(name, "its shape takes " + std::to_string(bytes) + " bytes and its data_offsets hold " +
                       std::to_string(e.end - e.begin));
    return e;
  }

  void check_layout(std::vector<Entry>& entries) const {
    std::sort(entries.begin(), entries.end(),
              [](const Entry& a, const Entry& b) { return std::pair(a.begin, a.end) < std::pair(b.begin, b.end); });
    std::uint64_t end = 0;
    for (const Entry& e : entries) {
      if (e.begin != end)
        refuse(e.name,
               "its bytes begin at " + std::to_string(e.begin) + " and those before end at " + std::to_string(end));
      end = e.end;
    }
    if (end != size_ - data_begin_)
      refuse(std::to_string(size_ - data_begin_ - end) + " bytes at its end belong to no tensor");
  }

  at::Tensor load(const Entry& e) {
    at::Tensor tensor = at::empty(e.shape, at::TensorOptions(e.type));
    auto* bytes = static_cast<char*>(tensor.mutable_data_ptr());
    read_bytes(data_begin_ + e.begin, bytes, e.end - e.begin);
    if (e.type == at::kBool && std::any_of(bytes, bytes + (e.end - e.begin), [](char c) { return c != 0 && c != 1; }))
      refuse(e.name, "a BOOL is neither 0 nor 1");
    return tensor;
  }

  std::string path_;
  std::ifstream file_;
  std::uint64_t size_ = 0, data_begin_ = 0;
};

}  // namespace

void write_safetensors(const std::filesystem::path& path, const SafeTensors& content) {
  const std::vector<Piece> pieces = pieces_in_order(content.tensors);
  const std::string header = header_of(pieces, content.metadata);
  const std::uint64_t length = header.size();
  std::vector<std::string_view> bytes = {{reinterpret_cast<const char*>(&length), sizeof length}, header};
  for (const Piece& piece : pieces)
    bytes.emplace_back(static_cast<const char*>(piece.tensor.const_data_ptr()), piece.tensor.nbytes());
  write_file(path, bytes);
}

SafeTensors read_safetensors(const std::filesystem::path& path) { return Reader(path).read(); }

}  // namespace limen::io
