// Part of limen. SPDX-License-Identifier: MIT
#include "io/safetensors.h"

#include <ATen/Functions.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "io/files.h"
#include "io/temporary_folder.h"
#include "limen/math/random.h"

namespace limen::io {
namespace {

std::string file(const std::string& header, const std::string& bytes) {
  std::uint64_t length = header.size();
  std::string content(sizeof length, '\0');
  std::memcpy(content.data(), &length, sizeof length);
  return content + header + bytes;
}

/// One tensor t with the given fields, and the bytes that follow the header.
std::string one(const std::string& dtype, const std::string& shape, const std::string& offsets, std::size_t bytes) {
  return file(R"({"t":{"dtype":")" + dtype + R"(","shape":)" + shape + R"(,"data_offsets":)" + offsets + "}}",
              std::string(bytes, '\0'));
}

// What the reference package (Python, 0.8.0) writes for the tensors below.
std::string reference_file() {
  const unsigned char bytes[] = {7,    0,    0,    0, 0,    0,    0,    0,    0x9A, 0x99, 0x99, 0x99, 0x99,
                                 0x99, 0xB9, 0x3F, 0, 0,    0,    0x40, 0,    0,    0x80, 0x3F, 0,    0,
                                 0,    0xC0, 0,    0, 0,    0x3F, 0,    0,    0x80, 0x40, 0xFD, 0xFF, 0xFF,
                                 0xFF, 0xC0, 0x3F, 0, 0x80, 0xFF, 0x7B, 0xFF, 1,    0,    1};
  return file(
      R"({"__metadata__":{"format":"pt"},"steps":{"dtype":"I64","shape":[],"data_offsets":[0,8]},)"
      R"("d":{"dtype":"F64","shape":[1],"data_offsets":[8,16]},"a":{"dtype":"F32","shape":[1],"data_offsets":[16,20]},)"
      R"("empty":{"dtype":"F32","shape":[0,3],"data_offsets":[20,20]},)"
      R"("weight":{"dtype":"F32","shape":[2,2],"data_offsets":[20,36]},)"
      R"("i":{"dtype":"I32","shape":[1],"data_offsets":[36,40]},)"
      R"("b":{"dtype":"BF16","shape":[2],"data_offsets":[40,44]},)"
      R"("h":{"dtype":"F16","shape":[1],"data_offsets":[44,46]},)"
      R"("u":{"dtype":"U8","shape":[1],"data_offsets":[46,47]},)"
      R"("mask":{"dtype":"BOOL","shape":[3],"data_offsets":[47,50]}} )",
      std::string(reinterpret_cast<const char*>(bytes), sizeof bytes));
}

SafeTensors reference_content() {
  SafeTensors content;
  content.metadata["format"] = "pt";
  auto& t = content.tensors;
  t["weight"] = at::tensor({1.0F, -2.0F, 0.5F, 4.0F}).reshape({2, 2});
  t["a"] = at::tensor({2.0F});
  t["b"] = at::tensor({1.5F, -0.0F}).to(at::kBFloat16);
  t["h"] = at::tensor({65504.0F}).to(at::kHalf);
  t["mask"] = at::tensor({1, 0, 1}).to(at::kBool);
  t["steps"] = at::full({}, 7, at::kLong);
  t["d"] = at::tensor({0.1}, at::kDouble);
  t["i"] = at::tensor({-3}, at::kInt);
  t["u"] = at::tensor({255}, at::kInt).to(at::kByte);
  t["empty"] = at::zeros({0, 3});
  return content;
}

TEST(SafeTensors, WritesTheBytesOfTheReferencePackage) {
  const TemporaryFolder folder;
  write_safetensors(folder / "t.safetensors", reference_content());
  EXPECT_EQ(read_file(folder / "t.safetensors"), reference_file());
}

TEST(SafeTensors, ReadsWhatTheReferencePackageWrote) {
  const TemporaryFolder folder;
  write_file(folder / "t.safetensors", reference_file());
  const SafeTensors read = read_safetensors(folder / "t.safetensors"), expected = reference_content();
  EXPECT_EQ(read.metadata, expected.metadata);
  ASSERT_EQ(read.tensors.size(), expected.tensors.size());
  for (const auto& [name, tensor] : expected.tensors) {
    ASSERT_TRUE(read.tensors.contains(name)) << name;
    EXPECT_EQ(read.tensors.at(name).scalar_type(), tensor.scalar_type()) << name;
    EXPECT_TRUE(at::equal(read.tensors.at(name), tensor)) << name;
  }
}

TEST(SafeTensors, TakesAnyStridesAndTiedTensors) {
  const TemporaryFolder folder;
  const at::Tensor base = at::arange(12, at::kFloat).reshape({3, 4});
  write_safetensors(folder / "t",
                    {{{"transposed", base.t()}, {"column", base.select(1, 2)}, {"tied", base}, {"base", base}}, {}});
  const auto read = read_safetensors(folder / "t").tensors;
  EXPECT_TRUE(at::equal(read.at("transposed"), base.t()));
  EXPECT_TRUE(at::equal(read.at("column"), base.select(1, 2)));
  EXPECT_TRUE(at::equal(read.at("tied"), read.at("base")));
  write_safetensors(folder / "none", {});
  EXPECT_TRUE(read_safetensors(folder / "none").tensors.empty());
}

TEST(SafeTensors, RefusesToWriteWhatTheFormatLacks) {
  const TemporaryFolder folder;
  const auto complex = message_of([&] {
    write_safetensors(folder / "t", {{{"z", at::zeros({1}, at::kComplexFloat)}}, {}});
  });
  EXPECT_NE(complex.find("tensor z"), std::string::npos) << complex;
  EXPECT_THROW(write_safetensors(folder / "t", {{{"__metadata__", at::zeros({1})}}, {}}), Error);
  EXPECT_THROW(write_safetensors(folder / "t", {{{"undefined", at::Tensor()}}, {}}), Error);
  EXPECT_THROW(write_safetensors(folder / "t", {{{"\xff", at::zeros({1})}}, {}}), Error);
  EXPECT_FALSE(std::filesystem::exists(folder / "t"));
}

struct Fault {
  const char* what;
  std::string content;
  const char* message;  // a part of it
};

TEST(SafeTensors, RefusesEveryUnsoundHeaderBeforeAllocating) {
  std::string long_header(8, '\0');
  const std::uint64_t huge = 100'000'001;
  std::memcpy(long_header.data(), &huge, sizeof huge);
  const std::string t = R"("t":{"dtype":"U8","shape":[1],"data_offsets":[0,1]})";
  const Fault faults[] = {
      {"empty file", "", "8 bytes"},
      {"torn length", "\x01", "8 bytes"},
      {"length beyond the file", file("{}", "").substr(0, 9), "only 1 follow"},
      {"length beyond all", std::string(8, '\xff') + "{}", "at most 100000000"},
      {"length beyond the limit", long_header + "{}", "at most 100000000"},
      {"no JSON", file("{\"t\"", ""), "not JSON"},
      {"a pickle", file("\x80\x04}q", ""), "does not begin with {"},
      {"a list", file("[]", ""), "does not begin with {"},
      {"depth", file(R"({"t":[[[[[[[[)", ""), "too deeply"},
      {"shape larger than its bytes", one("F32", "[1000,1000]", "[0,4]", 4), "tensor t: its shape takes 4000000"},
      {"range beyond the file", one("F32", "[4]", "[1099511627776,1099511627792]", 16), "not within the file's 16"},
      {"end beyond the file", one("U8", "[1099511627776]", "[0,1099511627776]", 16), "not within the file's 16"},
      {"negative offsets", one("F32", "[4]", "[-16,0]", 16), "expected two sizes"},
      {"offsets in reverse", one("F32", "[4]", "[16,0]", 16), "not within"},
      {"offsets too large for an integer", one("F32", "[4]", "[0,36893488147419103232]", 16), "expected two sizes"},
      {"fractional offsets", one("U8", "[1]", "[0,1.0]", 1), "expected two sizes"},
      {"three offsets", one("U8", "[1]", "[0,1,1]", 1), "expected two sizes"},
      {"negative extent", one("U8", "[-1]", "[0,1]", 1), "no size"},
      {"extents whose product wraps to 0", one("U8", "[4294967296,4294967296]", "[0,0]", 0), "more elements"},
      {"bytes whose product wraps to 16", one("F64", "[2305843009213693954]", "[0,16]", 16), "more elements"},
      {"shape not a list", one("U8", "1", "[0,1]", 1), "not a list"},
      {"unknown type", one("F7", "[1]", "[0,1]", 1), "unknown dtype \"F7\""},
      {"BOOL of 2", file(R"({"t":{"dtype":"BOOL","shape":[1],"data_offsets":[0,1]}})", "\x02"), "neither 0 nor 1"},
      {"gap in front", one("U8", "[1]", "[1,2]", 2), "begin at 1"},
      {"bytes behind", one("U8", "[1]", "[0,1]", 3), "2 bytes at its end"},
      {"overlap", file("{" + t + R"(,"s":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}})", "xy"), "begin at 0"},
      {"name twice", file("{" + t + "," + t + "}", "x"), "the name t occurs twice"},
      {"field twice", file(R"({"t":{"dtype":"U8","shape":[9],"shape":[1],"data_offsets":[0,1]}})", "x"),
       "shape occurs twice"},
      {"field missing", file(R"({"t":{"dtype":"U8","shape":[1]}})", ""), "exactly dtype"},
      {"field too many", file(R"({"t":{"dtype":"U8","shape":[1],"data_offsets":[0,1],"code":1}})", "x"),
       "exactly dtype"},
      {"tensor not an object", file(R"({"t":1})", ""), "exactly dtype"},
      {"metadata not an object", file(R"({"__metadata__":[]})", ""), "metadata is not an object"},
      {"metadata not texts", file(R"({"__metadata__":{"n":1}})", ""), "entry n is not a text"},
  };
  const TemporaryFolder folder;
  for (const Fault& fault : faults) {
    write_file(folder / "t.safetensors", fault.content);
    const std::string message = message_of([&] { read_safetensors(folder / "t.safetensors"); });
    EXPECT_NE(message.find(fault.message), std::string::npos) << fault.what << ": " << message;
    EXPECT_NE(message.find("t.safetensors"), std::string::npos) << fault.what << ": " << message;
  }
  EXPECT_THROW(read_safetensors(folder / "absent"), SystemError);
  EXPECT_THROW(read_safetensors(folder.path()), SystemError);
}

TEST(SafeTensors, DamagedFilesLoadOrAreRefused) {
  const TemporaryFolder folder;
  const std::string path = (folder / "t.safetensors").string(), whole = reference_file();
  const math::Stream random(1, math::Purpose::shuffle);
  int refused = 0;
  const auto attempt = [&](const std::string& content) {
    std::ofstream(path, std::ios::binary) << content;
    try {
      read_safetensors(path);
    } catch (const SystemError&) {
      ++refused;
    }
  };
  for (std::size_t size = 0; size < whole.size(); ++size) attempt(whole.substr(0, size));
  EXPECT_EQ(refused, static_cast<int>(whole.size())) << "a truncated file was taken for whole";
  std::uint64_t draw = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string damaged = whole;
    const std::uint64_t flips = 1 + random.below(4, draw++);
    for (std::uint64_t flip = 0; flip < flips; ++flip) {
      const std::uint64_t where = random.below(608, draw++);  // in the length and the header
      damaged[where] = static_cast<char>(random.below(256, draw++));
    }
    attempt(damaged);
  }
  EXPECT_GT(refused, static_cast<int>(whole.size()) + 2000);
}

}  // namespace
}  // namespace limen::io
