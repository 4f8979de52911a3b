// Input from a shell, a script or a program: standard input, pipes, empty names, bytes that are no text, commas.
#include <sys/stat.h>
#include <zlib.h>

#include <algorithm>

#include "apps/cli_tools.hpp"

using cli::Folder;
using cli::has;

namespace {

/// Nothing that a terminal would obey, on few and short lines.
void can_be_shown(const std::string& text) {
  BOOST_TEST(text.size() < 2000, text.substr(0, 2000));
  BOOST_TEST(
      std::none_of(text.begin(), text.end(), [](unsigned char c) { return (c < 0x20 && c != '\n') || c == 0x7f; }),
      text);
}

const std::string square = "POLYGON((0 0, 1 0, 1 1, 0 1, 0 0))",
                  other = "POLYGON((0.5 0.5, 1.5 0.5, 1.5 1.5, 0.5 1.5, 0.5 0.5))";

}  // namespace

BOOST_AUTO_TEST_CASE(a_case_from_standard_input) {
  const Folder folder("case.toml", cli::two_discs());
  const auto checked = folder.gives(0, "check - <case.toml", {"No errors", " into results/stdin ("});
  BOOST_TEST((checked.out.starts_with("<stdin>: ")), checked.err + checked.out);
  const auto ran = folder.dem("run -", "cat case.toml |");
  BOOST_TEST(ran.code <= 1, ran.err);
  ran.prints({"Results in results/stdin"});
  const auto named = folder.dem("run case.toml -o named");
  const auto hash = [](const std::string& out) { return out.substr(out.find("State hash"), 27); };
  BOOST_TEST(hash(ran.out) == hash(named.out));
  // Messages name it, also those that look for the line of a key after the case has been read.
  folder.write("case.toml", cli::two_discs("1e-2"));
  const auto large = folder.gives(2, "run -", {}, {}, "cat case.toml |");
  BOOST_TEST(large.err.starts_with("<stdin>:9: time.step: found 0.01 s"), large.err);
  folder.write("case.toml", cli::two_discs() + "frictoin = 1\n");
  folder.dem("check - <case.toml").warns({"<stdin>:24: stage[1].frictoin: found an unknown key"});
  folder.refuses(2, "check - </dev/zero", {"<stdin>:1: found more than 16 MB"});
}

BOOST_AUTO_TEST_CASE(files_of_standard_input_are_relative_to_the_present_folder) {
  const Folder folder("table.txt", "5 5 5\n1 1 1 0.5\n1.99 1 1 0.5\n");
  BOOST_TEST(folder.dem("import table.txt --to case.toml --pressure 10").code == 0);
  folder.gives(0, "check - <case.toml");
}

BOOST_FIXTURE_TEST_CASE(pipes_and_devices_do_not_block, cli::InFolder) {
  BOOST_TEST_REQUIRE(::mkfifo((folder.path() / "pipe").c_str(), 0600) == 0);
  for (const char* command :
       {"run", "check", "info", "import", "overlap", "overlap --all-pairs", "contact", "sweep", "sweep time-step"})
    for (const char* file : {"pipe", "/dev/zero", "."}) {
      const auto result = folder.dem(std::string(command) + " " + file, "ulimit -v 4000000; timeout 20");
      BOOST_TEST_CONTEXT(command << " " << file << ": " << result.err) {
        BOOST_TEST((result.code == 2 || result.code == 3));
        result.warns({file});
      }
    }
}

BOOST_FIXTURE_TEST_CASE(a_line_without_end_in_a_compressed_file_is_bounded, cli::InFolder) {
  const gzFile file = gzopen((folder.path() / "bomb.gz").c_str(), "wb1");
  gzputs(file, "1 1 1 0.5\n");
  const std::string block(1 << 20, '1');
  for (int k = 0; k < 3000; ++k) gzwrite(file, block.data(), unsigned(block.size()));
  gzclose(file);
  for (const char* command : {"import bomb.gz", "overlap bomb.gz", "overlap --all-pairs bomb.gz"}) {
    const auto result = folder.dem(command, "ulimit -v 1000000;");
    BOOST_TEST(result.code >= 2, result.err);
    result.warns({"bomb.gz: found a line 2 of more than 64 MB"});
  }
}

BOOST_AUTO_TEST_CASE(empty_names_are_refused) {
  const Folder folder("case.toml", cli::two_discs());
  for (const char* command :
       {"run case.toml --output ''", "run case.toml -o ''", "run ''", "check ''", "resume ''", "info ''", "contact ''",
        "overlap ''", "import ''", "sweep ''", "sweep time-step case.toml --output ''", "check case.toml --picture ''",
        "plot ''", "plot apps --output ''", "plot apps --labels ''"})
    folder.refuses(2, command, {"empty name"});
  BOOST_TEST(!folder.holds("results"));
}

BOOST_FIXTURE_TEST_CASE(bytes_that_are_no_text_are_not_repeated, cli::InFolder) {
  using namespace std::string_literals;
  const std::string bytes = "\x1b[2J\0\x07\xff\x1b]0;title\x07"s;
  folder.write("pairs.tsv", bytes + "\tPOLYGON((" + bytes + "\t" + square + "\n");
  folder.write("grains.tsv", "a\t" + square + "\n" + bytes + "\tPOLYGON((0 0, 1 1, 1 0, 0 1, 0 0))\n");
  folder.write("table.txt", "1 1 1 0.5\n1 " + bytes + " 1 0.5\n");
  folder.write("header.txt", "x y " + bytes + "\n1 1 0.5\n");
  folder.write("path.csv", "overlap,shift_1," + bytes + "\n1,2,3\n");
  folder.write("drive.toml",
               "law = \"linear\"\n[parameters]\nnormal_stiffness = 1\ntangential_stiffness = 1\nfriction = "
               "0.5\n[path]\nfile = \"path.csv\"\nframe = \"contact\"\n");
  folder.write("cells.csv", "overlap,shift_1,shift_2\n1,2," + bytes + "\n1,2," + std::string(1000000, '9') + "x\n");
  folder.write("cells.toml",
               "law = \"linear\"\n[parameters]\nnormal_stiffness = 1\ntangential_stiffness = 1\nfriction = "
               "0.5\n[path]\nfile = \"cells.csv\"\nframe = \"contact\"\n");
  folder.write("words.toml", "law = \"\\u001b[2J" + std::string(1000000, 'x') + "\"\n\"\\u001b[2J" +
                                 std::string(1000000, 'x') + "\" = 1\n");
  folder.write("case.toml", cli::two_discs() + "\"\\u001b[2J\" = 1\n");
  folder.write("raw.toml", cli::two_discs() + bytes);
  for (const char* command :
       {"overlap pairs.tsv", "overlap --all-pairs grains.tsv", "import table.txt", "import header.txt",
        "contact drive.toml", "contact cells.toml", "contact words.toml", "contact path.csv", "check case.toml",
        "check raw.toml", "$'\\e[2J'", "run --$'x\\e[2J'", "help $'\\e[2J'"}) {
    const auto result = folder.dem(command);
    BOOST_TEST_CONTEXT(command << ": " << result.err) {
      BOOST_TEST(result.code == 2);
      BOOST_TEST(!result.err.empty());
      can_be_shown(result.err);
    }
  }
}

BOOST_AUTO_TEST_CASE(polygons_in_tables_with_commas_and_headers) {
  const Folder folder("tabs.tsv", "a\t" + square + "\t" + other + "\n");
  const auto expected = folder.dem("overlap tabs.tsv");
  BOOST_TEST_REQUIRE(expected.code == 0, expected.err);
  for (const std::string& text : {"a," + square + "," + other + "\n", "a;" + square + " ; " + other + "\n",
                                  "id,first,second\na, \"" + square + "\", \"" + other + "\"\n",
                                  "# made elsewhere\nid\ti\tj\na\t" + square + "\t" + other + "\n",
                                  "\xEF\xBB\xBFid;i;j\r\na;" + square + ";" + other + "\r\n"}) {
    folder.write("table.csv", text);
    const auto found = folder.dem("overlap table.csv");
    BOOST_TEST(found.out == expected.out, text << found.err);
  }
  folder.write("grains.tsv", "a\t" + square + "\nb\tname\t" + other + "\n");
  const auto all = folder.dem("overlap --all-pairs grains.tsv");
  folder.write("grains.csv", "id,name,outline\na,x," + square + "\nb,\"name\"," + other + "\n");
  BOOST_TEST(folder.dem("overlap --all-pairs grains.csv").out == all.out);
  folder.write("two.csv", "id,first,second\nid,first,second\n");
  folder.refuses(2, "overlap two.csv", {"two.csv:2: polygon 1 of pair 'id': expected POLYGON"});
}

BOOST_AUTO_TEST_CASE(coincident_spheres_are_counted_and_refused) {
  const Folder folder("same.txt", "5 5 5\n1 1 1 0.5\n1 1 1 0.5\n3 3 3 0.5\n3.9 3 3 0.5\n");
  folder.gives(0, "import same.txt",
               {"contacts            2 between 2 touching pairs", "coincident          1 of the contacts",
                "without contact     0 particles"});
  const auto refused = folder.refuses(
      2, "import same.txt --to case.toml --pressure 10",
      {"same.txt: particles 1 and 2 (lines 2 and 3) have one centre: no force can part them; one of each "
       "pair must go\n"});
  BOOST_TEST(!has(refused.out, "nan"), refused.out);
  BOOST_TEST(!folder.holds("case.toml"));
  // A case of one's own, whatever overlap it allows.
  folder.write("case.toml",
               "format = 1\ndimension = 3\n[assembly]\ngenerator = \"import\"\nfile = "
               "\"same.txt\"\nlargest_start_overlap = 1.0\n[material]\nnormal_stiffness = 1e3\n"
               "tangential_stiffness_ratio = 1\nfriction = 0.5\nrestitution = 0.9\n[time]\nstep = "
               "1e-3\n[[stage]]\nduration = 0.01\n");
  folder.gives(2, "check case.toml", {},
               {"at the start body 0 (group free) and body 1 (group free) have centres at one point: their contact has "
                "no direction"});
}
