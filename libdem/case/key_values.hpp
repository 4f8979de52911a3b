// Values of keys that laws and drivers own (laws/key.hpp) as TOML values.
#pragma once
#include <string>

#include "libdem/case/value.hpp"
#include "libdem/laws/key.hpp"

namespace dem::case_file {

/// TOML text. A vector has two numbers in the plane.
std::string encode_key(const laws::Key::Value&, int dimension = 3);
/// False for a value that the key does not allow.
bool decode_key(const laws::KeyForm&, const Value&, laws::Key::Value& out);
/// Type, allowed values and meanings in words.
Description describe_key(const laws::KeyForm&);

}  // namespace dem::case_file
