// Parts of a file or of a command line that messages may repeat.
#include "geometry/printable.hpp"

#include <fmt/format.h>

#include <boost/test/unit_test.hpp>

using dem::printable;
using namespace std::string_literals;

BOOST_AUTO_TEST_CASE(text_that_can_be_shown_stays) {
  for (const std::string& text : {""s, "friction"s, "a \"b\" \\ c"s, "Prüfung μ √ 𝒳 …"s})
    BOOST_TEST(printable(text) == text);
}

BOOST_AUTO_TEST_CASE(control_characters_and_broken_utf8_are_escaped) {
  BOOST_TEST(printable("\x1b[31mred\x07") == "\\x1b[31mred\\x07");
  BOOST_TEST(printable("a\0b"s) == "a\\x00b");
  BOOST_TEST(printable("a\tb\nc\r") == "a\\tb\\nc\\x0d");
  BOOST_TEST(printable("\x7f") == "\\x7f");
  BOOST_TEST(printable("\xc2\x9b"s) == "\\xc2\\x9b");  // the one-character form of ESC [
  BOOST_TEST(printable("\xff\xc3"s) == "\\xff\\xc3");
  BOOST_TEST(printable("\xe2\x82"s) == "\\xe2\\x82");  // cut within a character
}

BOOST_AUTO_TEST_CASE(long_text_is_cut_at_a_character) {
  BOOST_TEST(printable(std::string(60, 'x')) == std::string(60, 'x'));
  BOOST_TEST(printable(std::string(1000000, 'x')) == fmt::format("{:x>57}...", ""));
  BOOST_TEST(printable("μμμμμ", 5) == "μμμμμ");
  BOOST_TEST(printable("μμμμμμ", 5) == "μμ...");
  BOOST_TEST(printable("\x01\x01\x01", 9) == "\\x01...");
}

BOOST_AUTO_TEST_CASE(whole_messages_keep_their_lines) {
  BOOST_TEST(dem::printable_message("one\ntwo\x1b" + std::string(200, 'y')) == "one\ntwo\\x1b" + std::string(200, 'y'));
}
