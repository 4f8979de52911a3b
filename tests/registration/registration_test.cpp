// A law from outside the library: one header and one row, then its keys work wherever those of the library do.
#include "case/error_checks.hpp"
#include "extension/worn.hpp"
#include "libdem/case/contact_drive_file.hpp"
#include "libdem/case/contact_parameters.hpp"
#include "libdem/case/topics.hpp"
#include "registration/two_discs.hpp"
#include "results/results_test_tools.hpp"
#include "support/message_of.hpp"
#include "support/resumed.hpp"

using outside::Worn;

namespace {

struct SameKey : Worn {  // a key of law jaeger, in another form
  static constexpr const char* name = "same-key";
  static std::vector<laws::Key> keys() {
    return {laws::key("merge_error", &Options::left, "m", {0, 1}, "Not that of law jaeger.")};
  }
};
struct SpacedKey : Worn {
  static constexpr const char* name = "spaced-key";
  static std::vector<laws::Key> keys() { return {laws::key("wear left", &Options::left, "", {0, 1}, "Not a key.")}; }
};
struct Late : Worn {
  static constexpr const char* name = "late";
  static std::vector<laws::Key> keys() { return {}; }
};

struct Softer : Worn {  // a spring without a limit, of a share of k_t
  static constexpr const char* name = "softer";
  static void pass(const Options& options, const laws::StepFlags&, laws::Block& b, History* history) {
    for (int c = 0; c < b.count; ++c) {
      History& h = history[c];
      b.elastic_1[c] = -options.left * b.stiffness[c] * (h.elongation_1 += b.shift_1[c]);
      b.elastic_2[c] = -options.left * b.stiffness[c] * (h.elongation_2 += b.shift_2[c]);
    }
  }
  static double tangent(const Options& o, const laws::ContactSprings& springs) { return o.left * springs.stiffness; }
  static void start(History& h, const double force[2], double tangent) { h = {force[0] / tangent, force[1] / tangent}; }
};

template <class Law>
std::string refusal() {
  return message_of<std::invalid_argument>([] { laws::add(laws::row<Law>()); });
}

// Before anything reads a case.
const bool added = (laws::add(laws::row<Worn>()), true);
const std::string twice = refusal<Worn>(), other_form = refusal<SameKey>(), spaced = refusal<SpacedKey>();

const std::string discs = two_discs("law = \"worn\"\nwear_length = 1e-5", 0.5);

Simulation run_of(const std::string& text) { return advanced(parse_case(text, "case.toml"), 400); }

}  // namespace

BOOST_AUTO_TEST_CASE(a_name_is_taken_once) {
  BOOST_TEST(added);
  BOOST_TEST(twice == "there is a law 'worn' already");
  BOOST_TEST(other_form == "key 'merge_error' of law 'same-key' has another form than that of law 'jaeger'");
  BOOST_TEST(spaced == "law 'spaced-key': found the key 'wear left', allowed letters, digits and _");
  BOOST_TEST(laws::find("same-key") == nullptr);
  parse_case(discs, "case.toml");
  // A law may also come after the first case, and be replaced: cases that have it keep theirs.
  BOOST_CHECK_THROW(parse_case(with(discs, "\"worn\"", "\"late\""), "case.toml"), CaseErrors);
  laws::add(laws::row<Late>());
  const std::string late = with(with(discs, "\"worn\"", "\"late\""), "wear_length = 1e-5\n", "");
  const Case before = parse_case(late, "case.toml");
  BOOST_TEST(find_case_topic("late") != nullptr);
  laws::hide("late");
  BOOST_CHECK_THROW(parse_case(late, "case.toml"), CaseErrors);
  BOOST_TEST(before.contact.law.name() == "late");
  BOOST_TEST(!Simulation(before).finished());
}

BOOST_AUTO_TEST_CASE(its_keys_reach_the_law_and_its_ledger_closes) {
  const Case c = parse_case(discs, "case.toml");
  BOOST_TEST(c.contact.law->history_size == 3);
  BOOST_TEST(c.contact.law.options<Worn>().length == 1e-5);
  BOOST_TEST(c.contact.law.options<Worn>().left == 0.5);
  const std::uint64_t hash = run_of(discs).hash();
  BOOST_TEST(run_of(discs).hash() == hash);
  BOOST_TEST(run_of(with(discs, "1e-5", "1e-6")).hash() != hash);
  BOOST_TEST(run_of(with(discs, "1e-5", "1e-5\nwear_left = 0.25")).hash() != hash);
  // Nothing wears: law linear, to the rounding of its limit.
  const Simulation kept = run_of(with(discs, "1e-5", "1e-5\nwear_left = 1.0")),
                   linear = run_of(with(with(discs, "wear_length = 1e-5\n", ""), "worn", "linear"));
  for (std::size_t b = 0; b < 2; ++b)
    BOOST_TEST(norm(kept.state().bodies.position[0][b] - linear.state().bodies.position[0][b]) < 1e-12);
  BOOST_TEST(norm(run_of(discs).state().bodies.position[0][0] - linear.state().bodies.position[0][0]) > 1e-9);
  const EnergyLedger ledger = run_of(discs).ledger();
  BOOST_TEST(ledger.friction > 0);
  BOOST_TEST(std::abs(ledger.residual()) < 1e-3 * ledger.absolute_work);
}

BOOST_AUTO_TEST_CASE(help_knows_law_and_keys) {
  const auto keys = find_case_keys("wear_length");
  BOOST_TEST_REQUIRE(keys.size() == 1);
  BOOST_TEST(keys[0].path == "contact.wear_length");
  BOOST_TEST(keys[0].when == "law = worn");
  BOOST_TEST(keys[0].units() == "m");
  BOOST_TEST(keys[0].default_text == "0.001");
  const CaseTopic* topic = find_case_topic("worn");
  BOOST_TEST_REQUIRE(topic != nullptr);
  BOOST_TEST(topic->example.find("law = \"worn\"\nwear_length = 1e-6\n") != std::string::npos);
  BOOST_TEST((parse_case(topic->example, "case.toml").contact.law.options<Worn>().length == 1e-6));
  BOOST_TEST(std::ranges::any_of(topic->keys, [](const CaseKey* key) { return key->path == "contact.wear_left"; }));
  BOOST_TEST(std::ranges::any_of(
      case_words(), [](const CaseWord& word) { return word.word == "worn" && word.meaning == Worn::description; }));
}

BOOST_AUTO_TEST_CASE(dem_contact_takes_them) {
  const std::vector<std::string> names{
      "normal_stiffness",   "tangential_stiffness", "friction",  "normal_damping", "tangential_damping",
      "damp_while_sliding", "clip_tension",         "transport", "wear_length",    "wear_left"};
  BOOST_TEST(std::ranges::equal(contact_parameters(*laws::find("worn")), names, {}, &ContactParameter::name));
  const TemporaryFolder folder;
  std::ofstream(folder.path / "path.csv") << "overlap,shift_1,shift_2\n1e-3,1e-2,0\n1e-3,1e-2,0\n";
  const auto drive = [&](const std::string& more) {
    std::ofstream(folder.path / "drive.toml")
        << "law = \"worn\"\n[parameters]\nnormal_stiffness = 1e5\ntangential_stiffness = 1e5\nfriction = "
           "0.5\nwear_length = 0.01\n"
        << more << "[path]\nfile = \"path.csv\"\nframe = \"contact\"\nstart_overlap = 1e-3\n";
    return read_contact_drive(folder.path / "drive.toml");
  };
  // Whole friction in the first row. Then the contact has slipped by 9.5 mm, and μ is multiplied by ½ + ½ · 10/19.5.
  const auto states = drive_contact(drive(""));
  BOOST_TEST(std::abs(states[1].tangential.x) == 50.0, tolerance(1e-12));
  BOOST_TEST(std::abs(states[2].tangential.x) == 50 * (0.5 + 0.5 * 10 / 19.5), tolerance(1e-12));
  BOOST_CHECK_THROW(drive("wear_left = 2.0\n"), CaseErrors);
}

// The start force needs the tangent of the law, and so does the force that transport `none` leaves along the normal.
// The whole force stays as it is in space.
BOOST_AUTO_TEST_CASE(forces_come_from_the_tangent_of_the_law) {
  laws::add(laws::row<Softer>());
  ContactDrive drive;
  drive.law = "softer";
  drive.normal_stiffness = drive.tangential_stiffness = 1e5;
  drive.friction = 1;
  drive.transport = Transport::none;
  drive.global = true;
  drive.start_overlap = 1e-3;
  drive.start_force = {3, -2, 0};
  for (const double angle : {0.0, 0.4, 0.9})
    drive.rows.push_back({.overlap = 1e-3, .normal = {std::sin(angle), 0, std::cos(angle)}});
  for (const DriveState& state : drive_contact(drive)) BOOST_TEST(norm(state.tangential - drive.start_force) < 1e-14);
}
