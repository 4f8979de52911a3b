// The same state hash in two processes, and with another number of threads, as the program prints it.
#include "apps/cli_tools.hpp"
#include "program_cases.hpp"

BOOST_AUTO_TEST_SUITE(processes_test)

BOOST_AUTO_TEST_CASE(the_program_run_twice_prints_the_same_hash) {
  const cli::Folder folder;
  folder.write("shear.toml", cli::polygon_shear(700));
  std::string hash;
  for (const char* options : {"-o a", "-o b", "-o c --threads 3"}) {
    const auto result = folder.dem(std::string("run shear.toml ") + options);
    BOOST_TEST_REQUIRE(result.code == 0, result.out << result.err);
    const std::string found = cli::hash_line(result.out);
    if (hash.empty()) hash = found;
    BOOST_TEST(found == hash);
  }
  BOOST_TEST_MESSAGE(hash);
  BOOST_TEST(cli::has(hash, " at step 700"), hash);
}

BOOST_AUTO_TEST_SUITE_END()
