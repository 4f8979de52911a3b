#include "libdem/results/hdf5.hpp"

#include "libdem/platform/text_file.hpp"
#include "libdem/results/hdf5_sealed.hpp"
#include "results/results_test_tools.hpp"

BOOST_AUTO_TEST_CASE(values_come_back_bit_by_bit) {
  const std::vector<double> numbers{0.1, -0.0, std::numeric_limits<double>::infinity(), 5e-324, 1 / 3.0, 7};
  const std::vector<std::uint64_t> integers{0, ~std::uint64_t{0}, 42};
  const std::vector<std::int16_t> small{-32768, 32767};
  const std::vector<std::string> texts{"", "Körner", "a\nb"};
  hdf5::File file = hdf5::File::create("memory");
  hdf5::Group root = file.root();
  root.write<double>("a/b/numbers", numbers, {"m", "a description"}, 2);
  root.write<std::uint64_t>("integers", integers);
  root.write<std::int16_t>("small", small);
  root.write<double>("nothing", {});
  root.write_texts("texts", texts);
  root.set_texts("list", texts);
  root.set("title", "Überschrift");
  root.set("number", 0.1);
  root.set("integer", ~std::uint64_t{0});

  const hdf5::File back = hdf5::File::from_bytes("memory", file.bytes());
  const hdf5::Group r = back.root();
  BOOST_TEST(same_bits(r.read<double>("a/b/numbers"), numbers));
  BOOST_TEST(r.dimensions("a/b/numbers") == (std::vector<std::size_t>{3, 2}), tt::per_element());
  BOOST_TEST(r.text("unit", "a/b/numbers") == "m");
  BOOST_TEST(r.text("description", "a/b/numbers") == "a description");
  BOOST_TEST(r.read<std::uint64_t>("integers") == integers, tt::per_element());
  BOOST_TEST(r.read<std::int16_t>("small") == small, tt::per_element());
  BOOST_TEST(r.read<double>("nothing").empty());
  BOOST_TEST(r.read_texts("texts") == texts, tt::per_element());
  BOOST_TEST(r.texts("list") == texts, tt::per_element());
  BOOST_TEST(r.text("title") == "Überschrift");
  BOOST_TEST(r.number("number") == 0.1);
  BOOST_TEST(r.integer("integer") == ~std::uint64_t{0});
  BOOST_TEST(r.names() == (std::vector<std::string>{"a", "integers", "nothing", "small", "texts"}), tt::per_element());
}

BOOST_AUTO_TEST_CASE(errors_name_file_and_object_and_bytes_follow_the_content) {
  hdf5::File file = hdf5::File::create("some.h5");
  const std::vector<double> one{1};
  file.root().write<double>("x", one);
  const hdf5::Group r = file.root();
  BOOST_CHECK_EXCEPTION(r.read<double>("y"), FileError, says("some.h5, y"));
  BOOST_CHECK_EXCEPTION(r.read<std::uint64_t>("x"), FileError, says("another type"));
  BOOST_CHECK_EXCEPTION(r.read_texts("x"), FileError, says("another type"));
  BOOST_CHECK_EXCEPTION(file.root().write<double>("x", one), FileError, says("some.h5, x"));
  BOOST_CHECK_EXCEPTION(hdf5::File::from_bytes("bad.h5", "no HDF5 at all"), FileError, says("bad.h5"));
  const auto bytes = [](double value) {
    hdf5::File f = hdf5::File::create("same");
    f.root().write<double>("g/x", std::vector<double>{value, 2, 3}, {"m", "d"});
    f.root().set("t", "text");
    return f.bytes();
  };
  BOOST_TEST((bytes(1) == bytes(1)));
  const hdf5::File a = hdf5::File::from_bytes("same", bytes(1)), b = hdf5::File::from_bytes("same", bytes(2));
  BOOST_TEST(a.root().read<double>("g/x").at(0) == 1);
  BOOST_TEST(b.root().read<double>("g/x").at(0) == 2);
}

// Equal moments of spheres, three each, are written as they are: compressed they would keep 40 %.
BOOST_AUTO_TEST_CASE(doubles_are_compressed_where_three_in_four_repeat) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(1, 2);
  const auto share_kept = [&](std::size_t alike) {  // of the bytes, where so many numbers in a row are equal
    std::vector<double> values(30000);
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = k % alike == 0 ? uniform(random) : values[k - 1];
    hdf5::File file = hdf5::File::create("x");
    file.root().write<double>("x", values, {}, 3);
    BOOST_TEST(file.root().read<double>("x") == values, tt::per_element());
    return double(file.bytes().size()) / double(8 * values.size());
  };
  BOOST_TEST(share_kept(1) > 1);
  BOOST_TEST(share_kept(3) > 1);
  BOOST_TEST(share_kept(30) < 0.15);
}

BOOST_FIXTURE_TEST_CASE(sealed_files_refuse_foreign_and_damaged_ones, InTemporaryFolder) {
  const auto path = folder.path / "x.h5";
  hdf5::File file = hdf5::File::create("x");
  const std::vector<double> values{1, 2, 3};
  file.root().write<double>("x", values);
  hdf5::write_sealed(path, {"snapshot", "0.1.0"}, file);
  const std::string good = read_file(path);
  const hdf5::SealedFile back = hdf5::read_sealed(path, "snapshot");
  BOOST_TEST(back.seal.program_version == "0.1.0");
  BOOST_TEST(back.file.root().read<double>("x") == values, tt::per_element());
  BOOST_CHECK_EXCEPTION(hdf5::read_sealed(path, "checkpoint"), FileError,
                        says("is a snapshot file; expected a checkpoint"));
  BOOST_CHECK_EXCEPTION(hdf5::read_sealed(folder.path / "none.h5", ""), FileError, says("No such file"));
  std::string other = good;
  other.replace(other.find("format = 1"), 10, "format = 2");
  for (const auto& [bytes, message] : {std::pair<std::string, std::string>{"", "is empty"},
                                       {good.substr(512), "is not a file of this program"},
                                       {other, "has format 2; this program reads format 1"},
                                       {good + "x", "damaged"},
                                       {good.substr(0, 20), ""},
                                       {good.substr(0, 300), ""},
                                       {good.substr(0, 512), ""},
                                       {good.substr(0, good.size() / 2), ""},
                                       {good.substr(0, good.size() - 1), ""}}) {
    write_file(path, bytes);
    BOOST_CHECK_EXCEPTION(hdf5::read_sealed(path, ""), FileError, says(message));
  }
  write_file(path, good);
  BOOST_CHECK_NO_THROW(hdf5::read_sealed(path, ""));
}

BOOST_FIXTURE_TEST_CASE(sums_that_files_had_before_are_verified, InTemporaryFolder) {
  const auto path = folder.path / "x.h5";
  hdf5::write_sealed(path, {"snapshot", "0.1.0"}, hdf5::File::create("x"));
  std::string bytes = read_file(path);
  const std::size_t digits = bytes.find("checksum = ") + 11;
  bytes.replace(digits, 8, 16, '0').erase(511, 8);  // eight of the blanks before the HDF5 part
  bytes.replace(digits, 16, fmt::format("{:016x}", fnv1a(bytes)));
  write_file(path, bytes);
  BOOST_TEST(hdf5::read_sealed(path, "snapshot").seal.program_version == "0.1.0");
  bytes.back() ^= 1;
  write_file(path, bytes);
  BOOST_CHECK_EXCEPTION(hdf5::read_sealed(path, ""), FileError, says("its checksum does not fit"));
}

// Published test vectors of FNV-1a, 64 bits (Fowler, Noll, Vo: draft-eastlake-fnv).
BOOST_AUTO_TEST_CASE(checksum_is_fnv1a) {
  BOOST_TEST(fnv1a("") == 0xcbf29ce484222325u);
  BOOST_TEST(fnv1a("a") == 0xaf63dc4c8601ec8cu);
  BOOST_TEST(fnv1a("foobar") == 0x85944171f73967e8u);
  BOOST_TEST(fnv1a("bar", fnv1a("foo")) == fnv1a("foobar"));
}

BOOST_FIXTURE_TEST_CASE(failed_writes_leave_the_old_file_and_nothing_else, InTemporaryFolder) {
  const auto path = folder.path / "x.txt";
  write_file(path, "old");
  {
    const FileSizeLimit limit(4096);  // acts like a full disk, for any user
    BOOST_CHECK_EXCEPTION(write_file(path, std::string(10000, 'x')), FileError, says("cannot write"));
  }
  BOOST_TEST(read_file(path) == "old");
  BOOST_TEST(files_in(folder.path) == (std::vector<std::string>{"x.txt"}), tt::per_element());
  BOOST_CHECK_EXCEPTION(write_file(path / "below.txt", "x"), FileError, says("Not a directory"));
  BOOST_CHECK_EXCEPTION(create_folder(path / "below"), FileError, says("cannot create folder"));
  BOOST_CHECK_EXCEPTION(read_file(folder.path), FileError, says("Is a directory"));
}
