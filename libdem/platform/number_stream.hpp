// Numbers in a text, in their order, each with its line.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace dem {

/// Reads the text as a stream of numbers separated by blanks, line ends, or single commas or semicolons; '#' starts a
/// comment. Exponents may be E, e, D or d. A word that is not a finite number is a ContentError `file:line: found …,
/// wanted …`. So are two commas without a number between them, and a text that ends too early.
class NumberStream {
 public:
  /// `name` is the file in messages. The text must outlive the stream.
  NumberStream(std::string_view text, std::string name);

  bool at_end();  ///< true if only blanks and comments are left
  double number(std::string_view wanted);
  double positive(std::string_view wanted);
  long whole(std::string_view wanted, long low, long high);
  /// Number of numbers (or words) in the next line that is not empty; reads nothing.
  int numbers_in_line();
  /// Reads the words of that line if none is a number: the header of a table. Otherwise returns none and reads nothing.
  std::vector<std::string> header();
  int line() const { return line_; }  ///< of the last read word, from 1
  [[noreturn]] void refuse(std::string_view found, std::string_view wanted) const { refuse(found, wanted, line_); }
  [[noreturn]] void refuse(std::string_view found, std::string_view wanted, int line) const;

 private:
  void skip_blanks();
  std::string_view word(std::string_view wanted);
  std::vector<std::string_view> words_of_line() const;

  std::string_view text_;
  std::string name_;
  std::size_t at_ = 0;
  int line_ = 1;
};

}  // namespace dem
