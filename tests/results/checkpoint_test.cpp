#include "libdem/results/checkpoint.hpp"

#include "libdem/platform/text_file.hpp"
#include "results/results_test_tools.hpp"

namespace {

std::vector<double> numbers(std::size_t count, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<double> out;
  for (std::size_t k = 0; k < count; ++k) out.push_back(static_cast<double>(random()) * 1e-19 - 0.5);
  out.insert(out.end(),
             {-0.0, 5e-324, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()});
  return out;
}

void write(const std::filesystem::path& file, std::uint64_t step) {
  write_checkpoint(file, {"0.1.0", step, 0.1 * static_cast<double>(step)}, [&](ArchiveWriter& archive) {
    archive.put("bodies/position", numbers(500, static_cast<unsigned>(step)));
    archive.put("contacts/key", std::vector<std::uint64_t>{step, 2, ~std::uint64_t{0}});
    archive.put("nothing", std::span<const double>());
    archive.put_text("law", std::string_view("lin\0ear", 7));
  });
}

bool holds(const Checkpoint& c, std::uint64_t step) {
  return c.header().step == step && c.header().time == 0.1 * static_cast<double>(step) &&
         c.header().program_version == "0.1.0" &&
         same_bits(c.doubles("bodies/position"), numbers(500, static_cast<unsigned>(step))) &&
         c.integers("contacts/key") == std::vector<std::uint64_t>{step, 2, ~std::uint64_t{0}} &&
         c.doubles("nothing").empty() && c.text("law") == std::string_view("lin\0ear", 7);
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(checkpoints_come_back_bit_by_bit, InTemporaryFolder) {
  const auto file = folder.path / "checkpoint.h5";
  write(file, 7);
  const std::string bytes = read_file(file);
  const Checkpoint c = read_checkpoint(file);
  BOOST_TEST(holds(c, 7));
  BOOST_TEST(c.message.empty());
  BOOST_TEST(c.has("law"));
  BOOST_TEST(!c.has("lore"));
  BOOST_CHECK_EXCEPTION(c.doubles("missing"), FileError, says("missing"));
  BOOST_CHECK_EXCEPTION(c.doubles("contacts/key"), FileError, says("another type"));
  BOOST_CHECK_EXCEPTION(c.integers("bodies/position"), FileError, says("another type"));
  BOOST_TEST((files_in(folder.path) == std::vector<std::string>{"checkpoint.h5"}));
  write(file, 7);
  BOOST_TEST((read_file(file) == bytes));  // the same state makes the same file
}

BOOST_FIXTURE_TEST_CASE(every_damage_of_a_checkpoint_is_noticed, InTemporaryFolder) {
  const auto file = folder.path / "checkpoint.h5";
  write(file, 7);
  const std::string good = read_file(file);
  std::mt19937_64 random(1);
  for (int k = 0; k < 400; ++k) {
    std::string bad = good;
    // The first lines and the HDF5 part alike: half of the damages each.
    const std::size_t at = random() % (k % 2 ? 512 : good.size());
    bad[at] = char(k % 4 < 2 ? bad[at] ^ (1 << random() % 8) : bad[at] + 1 + char(random() % 255));
    write_file(file, bad, false);
    BOOST_TEST_CONTEXT("byte " << at) BOOST_CHECK_THROW(Checkpoint{file}, FileError);
  }
  for (int k = 0; k < 50; ++k) {
    write_file(file, good.substr(0, random() % good.size()), false);
    BOOST_CHECK_THROW(Checkpoint{file}, FileError);
  }
  write_file(file, good);
  BOOST_TEST(holds(Checkpoint(file), 7));
}

BOOST_FIXTURE_TEST_CASE(the_previous_checkpoint_is_kept_and_used, InTemporaryFolder) {
  const auto file = folder.path / "checkpoint.h5", previous = folder.path / "checkpoint.previous.h5";
  BOOST_TEST(previous_checkpoint(file) == previous);
  BOOST_CHECK_EXCEPTION(read_checkpoint(file), FileError, says("there is no previous checkpoint"));
  for (const std::uint64_t step : {1, 2, 3}) write(file, step);
  BOOST_TEST(holds(read_checkpoint(file), 3));
  BOOST_TEST(holds(Checkpoint(previous), 2));

  const std::string good = read_file(file);
  write_file(file, good.substr(0, good.size() / 2));
  const Checkpoint fallen_back = read_checkpoint(file);
  BOOST_TEST(holds(fallen_back, 2));
  BOOST_TEST(fallen_back.message.find("is truncated") != std::string::npos);
  BOOST_TEST(fallen_back.message.find("using the previous checkpoint, step 2") != std::string::npos);

  // A damaged newest one must not push out the good previous one when the resumed run writes.
  write(file, 4);
  BOOST_TEST(holds(read_checkpoint(file), 4));
  BOOST_TEST(holds(Checkpoint(previous), 2));

  std::filesystem::remove(file);
  BOOST_TEST(holds(read_checkpoint(file), 2));
  write_file(previous, "libdem");
  BOOST_CHECK_EXCEPTION(read_checkpoint(file), FileError, says("nor can the previous one be used"));
}

BOOST_FIXTURE_TEST_CASE(a_full_disk_or_a_state_that_cannot_be_saved_leaves_the_old_checkpoints, InTemporaryFolder) {
  const auto file = folder.path / "checkpoint.h5";
  write(file, 1);
  write(file, 2);
  {
    const FileSizeLimit limit(2048);
    BOOST_CHECK_EXCEPTION(write(file, 3), FileError, says("cannot write"));
  }
  const auto twice = [](ArchiveWriter& archive) {
    archive.put("x", numbers(1, 1));
    archive.put("x", numbers(1, 1));
  };
  BOOST_CHECK_THROW(write_checkpoint(file, {"0.1.0", 2, 0}, twice), FileError);
  BOOST_TEST(holds(read_checkpoint(file), 2));
  BOOST_TEST(holds(Checkpoint(previous_checkpoint(file)), 1));
  BOOST_TEST((files_in(folder.path) == std::vector<std::string>{"checkpoint.h5", "checkpoint.previous.h5"}));
}
