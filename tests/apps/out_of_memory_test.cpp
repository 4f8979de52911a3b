// Where memory runs out, the program prints one sentence and ends with a code of its own.
// That holds before main, in HDF5 and at the end.
#include "apps/cli_tools.hpp"
#include "libdem/platform/text_file.hpp"

using cli::Folder;
using cli::has;
namespace fs = std::filesystem;

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;  // they take terabytes of address space
#else
constexpr bool sanitized = false;
#endif

cli::Result within(const Folder& folder, const std::string& arguments, int kilobytes) {
  return folder.dem(arguments, "ulimit -c 0; ulimit -v " + std::to_string(kilobytes) + ";");
}

}  // namespace

BOOST_AUTO_TEST_CASE(one_sentence_and_a_clean_end_for_any_room) {
  if (sanitized) return;
  const Folder folder("two.toml", cli::two_discs("1e-6", "3e-4", "[output]\nseries_interval = 1e-6\n"));
  BOOST_TEST_REQUIRE(folder.dem("run two.toml -o out --until-step 100").code == 0);
  int least = 4000;  // below it the system cannot load the program, or libraries complain before it begins
  for (cli::Result r{1, "", "x"}; r.code != 0 || !r.err.empty(); least += 1000) {
    r = within(folder, "--version", least);
    BOOST_TEST_REQUIRE(least < 1000000);
  }
  int failed = 0;
  for (const std::string& command :
       {std::string("check two.toml"), std::string("info out"), std::string("info --csv out"),
        std::string("run two.toml -o new --overwrite"), std::string("resume again")}) {
    int good = 0;
    for (int room = least - 1000; good < 3 && room < least + 60000; room += room < least + 6000 ? 250 : 1000) {
      if (command.starts_with("resume")) {
        fs::remove_all(folder.path() / "again");
        fs::copy(folder.path() / "out", folder.path() / "again", fs::copy_options::recursive);
      }
      const cli::Result r = within(folder, command, room);
      BOOST_TEST_CONTEXT(command << " in " << room << " kB ends with " << r.code << ": " << r.err) {
        good = r.code == 0 ? good + 1 : 0;
        if (r.code == 0) continue;
        if (has(r.err, "error while loading") || has(r.err, "GnuTLS")) continue;  // before the program begins
        ++failed;
        BOOST_TEST(r.code == 1);
        r.warns({"out of memory"});
        BOOST_TEST(std::count(r.err.begin(), r.err.end(), '\n') == 1);
      }
    }
    BOOST_TEST(good >= 3, command);
  }
  BOOST_TEST(failed > 3);
}
