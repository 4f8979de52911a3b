// Parts of a file or of a command line that messages may repeat.
#include "geometry/printable.hpp"

#include "prelude.hpp"

using namespace std::string_literals;

BOOST_AUTO_TEST_CASE(text_that_can_be_shown_stays_and_the_rest_is_escaped) {
  for (const std::string& text : {""s, "friction"s, "a \"b\" \\ c"s, "Prüfung μ √ 𝒳 …"s})
    BOOST_TEST(printable(text) == text);
  for (const auto& [text, shown] : {std::pair{"\x1b[31mred\x07"s, "\\x1b[31mred\\x07"},
                                    {"a\0b"s, "a\\x00b"},
                                    {"a\tb\nc\r"s, "a\\tb\\nc\\x0d"},
                                    {"\x7f"s, "\\x7f"},
                                    {"\xc2\x9b"s, "\\xc2\\x9b"},  // the one-character form of ESC [
                                    {"\xff\xc3"s, "\\xff\\xc3"},
                                    {"\xe2\x82"s, "\\xe2\\x82"}})  // cut within a character
    BOOST_TEST(printable(text) == shown);
}

BOOST_AUTO_TEST_CASE(long_text_is_cut_at_a_character) {
  BOOST_TEST(printable(std::string(60, 'x')) == std::string(60, 'x'));
  BOOST_TEST(printable(std::string(1000000, 'x')) == fmt::format("{:x>57}...", ""));
  BOOST_TEST(printable("μμμμμ", 5) == "μμμμμ");
  BOOST_TEST(printable("μμμμμμ", 5) == "μμ...");
  BOOST_TEST(printable("\x01\x01\x01", 9) == "\\x01...");
  // Whole messages keep their lines.
  BOOST_TEST(printable_message("one\ntwo\x1b" + std::string(200, 'y')) == "one\ntwo\\x1b" + std::string(200, 'y'));
}
