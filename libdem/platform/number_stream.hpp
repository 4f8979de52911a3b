// Numbers in a text, one after the other, with the line each stands in.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace dem {

/// Reads the text as a stream of numbers separated by blanks, line ends, or single commas or semicolons; '#' starts a
/// comment. Exponents may be E, e, D or d. What is not a finite number, an empty place between two commas, and an end
/// before the number that is wanted, is a ContentError `file:line: found …, wanted …`.
class NumberStream {
 public:
  /// `name` of the file in messages. The text must outlive the stream.
  NumberStream(std::string_view text, std::string name);

  bool at_end();  ///< nothing but blanks and comments is left
  double number(std::string_view wanted);
  double positive(std::string_view wanted);
  long whole(std::string_view wanted, long low, long high);
  /// How many numbers (or words) the next line that is not empty holds; reads nothing.
  int numbers_in_line();
  /// The words of that line, where none is a number: the header of a table. Else none, and nothing is read.
  std::vector<std::string> header();
  int line() const { return line_; }  ///< of what was read last, from 1
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
