// Every key of every law: read, refused, resolved and read back. A law that comes is tested without a line here.
#include "case/error_checks.hpp"
#include "libdem/case/value.hpp"
#include "libdem/laws/catalogue.hpp"

using laws::Key;

namespace {

std::string text(const Key::Value& value) { return case_file::encode_key(value); }
Key::Value default_of(const laws::LawEntry& law, const Key& key) { return key.get(law.defaults.data()); }

/// A value other than the default.
Key::Value other_of(const laws::LawEntry& law, const Key& key) {
  const Key::Value usual = default_of(law, key);
  if (const auto* truth = std::get_if<bool>(&usual)) return !*truth;
  if (const auto* number = std::get_if<double>(&usual)) return *number == 0.25 ? 0.5 : 0.25;
  if (std::get_if<std::string>(&usual))
    return key.words.front().first == std::get<std::string>(usual) ? key.words.back().first : key.words.front().first;
  return std::vector<std::string>{};
}

/// Two spheres under the law, and lines of [contact].
std::string spheres(const laws::LawEntry& law, const std::string& lines) {
  return std::string("format = 1\ndimension = 3\n[material]\nfriction = 0.5\nrestitution = 0.8\n") +
         (law.hertzian ? "shear_modulus = 1e8\npoisson_ratio = 0.25\n"
                       : "normal_stiffness = 1e4\ntangential_stiffness_ratio = 0.8\n") +
         "[contact]\nlaw = \"" + std::string(law.name) + "\"\n" + lines +
         "[time]\nstep = 1e-6\n[[body]]\nshape = \"sphere\"\nradius = 0.01\nposition = [0.0, 0.0, "
         "0.0]\n[[stage]]\nduration = 1e-3\n";
}

template <class F>
void for_each_key(F&& f) {
  for (const laws::LawEntry& law : laws::catalogue())
    for (const Key& key : law.keys) BOOST_TEST_CONTEXT("law " << law.name << ", key " << key.name) f(law, key);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_key_is_read_and_resolved_and_one_of_another_law_accepted_at_its_default_only) {
  for_each_key([](const laws::LawEntry& law, const Key& key) {
    const Key::Value other = other_of(law, key);
    const Case c = parse_case(spheres(law, key.name + " = " + text(other) + "\n"), "case.toml");
    BOOST_TEST((key.get(c.contact.law.data()) == other));
    BOOST_TEST((c.contact.law != laws::LawChoice(law.name)));
    const std::string resolved = resolved_case(c);
    BOOST_TEST(resolved.find("\n" + key.name + " = " + text(other)) != std::string::npos);
    BOOST_TEST((parse_case(resolved, "case.toml").contact == c.contact));
    // In any order with `law`.
    const std::string first = with(spheres(law, ""), "law = ", key.name + " = " + text(other) + "\nlaw = ");
    BOOST_TEST((parse_case(first, "case.toml").contact == c.contact));
  });
  for_each_key([](const laws::LawEntry& law, const Key& key) {
    for (const laws::LawEntry& other : laws::catalogue()) {
      if (other.find_key(key.name)) continue;
      const std::string usual = key.name + " = " + text(default_of(law, key)) + "\n";
      const Case c = parse_case(spheres(other, usual), "case.toml");
      BOOST_TEST((c.contact == parse_case(spheres(other, ""), "case.toml").contact));
      check_one(spheres(other, key.name + " = " + text(other_of(law, key)) + "\n"), "contact." + key.name,
                text(other_of(law, key)), text(default_of(law, key)) + " only: only law");
    }
  });
}

/// As the files of format 1 do: with any law, in space, lists excepted. Else `dem resume` would tell of changed keys.
BOOST_AUTO_TEST_CASE(resolved_cases_in_space_name_the_keys_of_the_first_laws) {
  for (const laws::LawEntry& law : laws::catalogue()) {
    const std::string resolved = resolved_case(parse_case(spheres(law, ""), "case.toml"));
    for_each_key([&](const laws::LawEntry& owner, const Key& key) {
      const bool own = law.find_key(key.name), told = own || (key.everywhere && key.kind != Key::Kind::words);
      BOOST_TEST((resolved.find("\n" + key.name + " = " + text(default_of(owner, key))) != std::string::npos) == told,
                 law.name);
    });
    BOOST_TEST(resolved_case(parse_case(resolved, "case.toml")) == resolved);
  }
}

BOOST_AUTO_TEST_CASE(options_belong_to_their_law) {
  struct None {
    struct Options {};
  };
  laws::LawChoice law;
  BOOST_TEST((law == "linear"));
  BOOST_CHECK_THROW(law.options<None>(), std::invalid_argument);
  BOOST_CHECK_THROW(law = "liner", std::invalid_argument);
  BOOST_TEST((law == "linear"));
  BOOST_TEST(laws::LawChoice("jaeger").history() == nullptr);
  law = "hertz-history";
  const laws::LawChoice fresh = law;
  *law.history() = TangentialHistory::none;
  BOOST_TEST((law != fresh));
  BOOST_TEST(!law.set_history(TangentialHistory::none, fresh));
  BOOST_TEST(law.set_history({}, fresh));  // a stage without a history of its own has that of the case
  BOOST_TEST((law == fresh));
}
