// Includes go one way: a room knows the rooms below it and none above (ARCHITECTURE.md has the house).
#include <regex>

#include "libdem/platform/text_file.hpp"
#include "prelude.hpp"

namespace fs = std::filesystem;

namespace {

/// From the ground up. bounds.hpp is a room of one file. The case as data is a room of case.hpp and of the headers
/// *_spec.hpp, each of which lies with its owner. All rooms above them speak of it.
const std::vector<std::string> rooms{"platform", "laws",     "bounds.hpp", "case.hpp", "state",
                                     "contacts", "motion",   "measure",    "drivers",  "assembly",
                                     "case",     "pictures", "results",    "run",      "sweep"};

std::string room_of(const std::string& path) {
  return path.ends_with("_spec.hpp") ? "case.hpp" : path.substr(0, path.find('/'));
}

std::ptrdiff_t floor_of(const std::string& room) { return std::ranges::find(rooms, room) - rooms.begin(); }

}  // namespace

BOOST_AUTO_TEST_CASE(no_room_includes_one_above_it) {
  const fs::path libdem = fs::path(LIBDEM_SOURCE_DIR) / "libdem";
  const std::regex include("#include \"(libdem|apps|validation|tests)/([^\"]+)\"");
  std::size_t seen = 0;
  for (const auto& entry : fs::recursive_directory_iterator(libdem)) {
    const fs::path& file = entry.path();
    if (file.extension() != ".hpp" && file.extension() != ".cpp") continue;
    const std::string name = fs::relative(file, libdem).generic_string(), text = read_file(file);
    BOOST_TEST_REQUIRE(std::size_t(floor_of(room_of(name))) < rooms.size(),
                       name << " is in a room that this test does not know");
    for (auto found = std::sregex_iterator(text.begin(), text.end(), include); found != std::sregex_iterator();
         ++found) {
      ++seen;
      BOOST_TEST((*found)[1] == "libdem", name << " includes " << (*found)[0]);
      BOOST_TEST(floor_of(room_of((*found)[2])) <= floor_of(room_of(name)), name << " includes " << (*found)[2]);
    }
  }
  BOOST_TEST(seen > 400u);
}

/// laws/ and geometry/ are leaves; CGAL stays in geometry/.
BOOST_AUTO_TEST_CASE(leaves_include_nothing_of_ours) {
  const fs::path root = LIBDEM_SOURCE_DIR;
  for (const auto& [folder, forbidden] :
       std::map<std::string, std::string>{{"libdem/laws", "#include \"(geometry/|libdem/(?!laws/))"},
                                          {"geometry", "#include \"(libdem|apps|validation)/"},
                                          {"libdem", "#include [<\"]CGAL"},
                                          {"apps", "#include [<\"]CGAL"}})
    for (const auto& entry : fs::recursive_directory_iterator(root / folder))
      if (entry.path().extension() == ".hpp" || entry.path().extension() == ".cpp") {
        const std::string text = read_file(entry.path());
        BOOST_TEST(!std::regex_search(text, std::regex(forbidden)), entry.path());
      }
}
