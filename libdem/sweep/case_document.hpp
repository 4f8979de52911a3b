// A case as a document. Its keys can be changed one by one before it is read as a case.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "libdem/sweep/sweep.hpp"

namespace dem {

/// Places have the names of sweep files: `skin`, `material.friction`, `body.NAME.force[0]`, `stage.NAME.duration`,
/// `stage[2].duration` (counted from 1 as in messages). `stage.duration` is a place if there is only one stage.
class CaseDocument {
 public:
  /// Throws CaseErrors when the text is not TOML.
  CaseDocument(std::string_view text, const std::string& name);
  CaseDocument(const CaseDocument&);
  ~CaseDocument();

  /// Sets a key, whether it is given or not. Throws std::invalid_argument with the allowed places.
  void set(std::string_view place, const SweepValue&);
  /// The same with a value as written in a case file: a number, a switch, a list, a text in quotes. The quotes may be
  /// left out if the text is no other value. Returns the key as in messages: "body[2].force".
  std::string set_text(std::string_view place, std::string_view value);
  /// Reads the case. Messages about keys that were set begin with "--set" instead of file and line. Throws CaseErrors.
  Case read() const;
  /// The number at the place, if there is one.
  std::optional<double> number(std::string_view place) const;
  /// The value at the place as written in a case file, or "" if the key is not given. The place may also be a whole
  /// list. Throws std::invalid_argument like set.
  std::string value_text(std::string_view place) const;
  /// The case key of the place, as in `dem help`: "body.force". Throws std::invalid_argument like set.
  std::string key(std::string_view place) const;
  std::size_t stages() const;
  std::string text() const;

 private:
  struct Content;
  std::unique_ptr<Content> content_;
  std::string name_;
};

}  // namespace dem
