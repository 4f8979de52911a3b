// One list of fields saves, loads, hashes and states its layout.
#include "libdem/state/fields.hpp"

#include "libdem/state/state_hash.hpp"
#include "tests/sphere_cases.hpp"
#include "tests/support/message_of.hpp"

namespace {

struct Thing {
  double height = 1.5;
  Vec3 place{1, 2, 3};
  bool reached = true;
  int leg = -3;
  std::uint64_t count = (std::uint64_t(1) << 60) + 1;
  std::vector<Vec3> forces{{1, 2, 3}, {4, 5, 6}};
  std::vector<double> history{7, 8};
  std::vector<std::uint64_t> pairs{9};
  std::string source = "text\nwith\0zero";
  double only_saved = 0.1;

  bool operator==(const Thing&) const = default;
  void fields(FieldVisitor& f) {
    f("height", height);
    f("place", place);
    f("reached", reached);
    f("leg", leg);
    f("count", count);
    f("forces", forces);
    f.list("history", history);
    f.list("pairs", pairs);
    f.text("source", source);
    f("only_saved", only_saved, Hashed::no);
  }
  Fields list() {
    return [this](FieldVisitor& f) { fields(f); };
  }
};

std::uint64_t hash_of(Thing thing) {
  StateHash h;
  hash_fields(h, thing.list());
  return h.value();
}

}  // namespace

BOOST_AUTO_TEST_CASE(saved_fields_are_loaded) {
  Thing thing, other{0, {}, false, 0, 0, {{}, {}}, {}, {1, 2}, "", 0};
  MemoryArchive archive;
  save_fields(archive, "thing", thing.list());
  load_fields(archive, "thing", other.list());
  BOOST_TEST((other == thing));
  BOOST_TEST(archive.doubles("thing/height").at(0) == 1.5);
  BOOST_TEST(bytes_of_fields(thing.list()) == 8 * (1 + 3 + 1 + 1 + 1 + 6 + 2 + 1 + 1) + thing.source.size());
}

BOOST_AUTO_TEST_CASE(every_hashed_field_changes_the_hash) {
  const std::uint64_t before = hash_of({});
  const auto changed = [&](auto change) {
    Thing t;
    change(t);
    return hash_of(t) != before;
  };
  BOOST_TEST(!changed([](Thing&) {}));
  BOOST_TEST(changed([](Thing& t) { t.place.z = -3; }));
  BOOST_TEST(changed([](Thing& t) { t.reached = false; }));
  BOOST_TEST(changed([](Thing& t) { t.forces[1].y = 0; }));
  BOOST_TEST(changed([](Thing& t) { t.pairs[0] = 10; }));
  BOOST_TEST(!changed([](Thing& t) { t.only_saved = 3; }));
}

BOOST_AUTO_TEST_CASE(another_layout_of_fields_is_refused) {
  Thing thing;
  MemoryArchive archive;
  save_fields(archive, "thing", thing.list());
  double height = 0;
  const Fields fewer = [&](FieldVisitor& f) { f("height", height); };
  const std::string says = message_of<LayoutError>([&] { load_fields(archive, "thing", fewer); });
  // Builds of one version may differ, so the version alone does not say which program reads it.
  BOOST_TEST(says.find("holds other fields of \"thing\" than this build of version") != says.npos, says);
  BOOST_TEST(says.ends_with("go on with the build that wrote it"), says);
  BOOST_TEST(height == 0);
  BOOST_CHECK_THROW(load_fields(archive, "nothing", thing.list()), LayoutError);
  // The same names of another type.
  MemoryArchive numbers;
  std::uint64_t word = 1;
  save_fields(numbers, "thing", fewer);
  BOOST_CHECK_THROW(load_fields(numbers, "thing", [&](FieldVisitor& f) { f("height", word); }), LayoutError);
}

BOOST_AUTO_TEST_CASE(another_count_of_numbers_is_refused) {
  Thing thing, other;
  MemoryArchive archive;
  save_fields(archive, "thing", thing.list());
  other.forces.resize(3);
  BOOST_TEST(message_of<std::runtime_error>([&] { load_fields(archive, "thing", other.list()); }) ==
             "the checkpoint does not fit the case: thing/forces has 6 numbers, expected 9");
}
