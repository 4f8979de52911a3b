#include "libdem/case/contact_drive_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>
#include <sstream>

#include "geometry/printable.hpp"
#include "libdem/case/case_file.hpp"
#include "libdem/case/contact_parameters.hpp"
#include "libdem/case/contact_path.hpp"
#include "libdem/case/problems.hpp"
#include "libdem/case/toml_text.hpp"
#include "libdem/case/words.hpp"
#include "libdem/contacts/contact_frame.hpp"
#include "libdem/platform/text_file.hpp"

namespace dem {
namespace {

namespace fs = std::filesystem;
using case_file::Names, case_file::listed, case_file::nearest;
using case_file::Problems;
using contact_path::largest_shift, contact_path::unit_tolerance;
using laws::KeyForm;

constexpr double largest_component = 1e24;  // N

/// One table of the drive. `known`: all its keys.
class Table {
 public:
  Table(const toml::table& table, std::string path, const Names& known, std::string_view of, Problems& problems)
      : table_(table), path_(std::move(path)), problems_(problems) {
    problems_.given(path_, line_of(table));
    for (const auto& [key, node] : table) {
      const std::string name(key.str());
      problems_.given(place(name), line_of(node));
      if (std::ranges::find(known, std::string_view(name)) != known.end()) continue;
      if (const std::string_view meant = nearest(name, known); !meant.empty() && !table.contains(meant))
        problems_.meant(place(meant));
      problems_.add_first(place(name), "an unknown key",
                          fmt::format("{}: {}{}", of, listed(known, false), nearest(name, known, "key")));
    }
  }
  const toml::node* get(std::string_view key) const { return table_.get(key); }
  void refuse(std::string_view key, std::string_view found, std::string_view allowed) {
    problems_.add(place(key), found, allowed);
  }
  void refuse(std::string_view key, const toml::node* node, std::string_view allowed) {
    if (node)
      refuse(key, shown(*node), allowed);
    else
      refuse(key, "nothing", fmt::format("{} (required)", allowed));
  }
  std::optional<std::string> word(std::string_view key, std::string_view allowed, bool required) {
    const toml::node* node = get(key);
    if (!node && !required) return std::nullopt;
    if (node && node->is_string()) return node->as_string()->get();
    refuse(key, node, allowed);
    return std::nullopt;
  }
  std::optional<double> number(std::string_view key, double low, double high) {
    ContactParameter p;
    p.name = key;
    p.low = low;
    p.high = high;
    return number(p, false);
  }
  std::optional<double> number(const ContactParameter& p, bool required) {
    const toml::node* node = get(p.name);
    if (!node && !required) return std::nullopt;
    const auto x = node && node->is_number() ? node->value<double>() : std::nullopt;
    if (x && std::isfinite(*x) && (p.low_open ? *x > p.low : *x >= p.low) && *x <= p.high) return x;
    refuse(p.name, node, p.allowed());
    return std::nullopt;
  }
  std::optional<std::vector<double>> vector(std::string_view key, std::size_t size) {
    const toml::node* node = get(key);
    if (!node) return std::nullopt;
    std::vector<double> read;
    if (const auto* list = node->as_array())
      for (const auto& entry : *list)
        if (const auto x = entry.is_number() ? entry.value<double>() : std::nullopt;
            x && std::abs(*x) <= largest_component)
          read.push_back(*x);
    if (read.size() == size && node->as_array()->size() == size) return read;
    refuse(key, node,
           fmt::format("a list of {} numbers, each from {:g} to {:g}", size, -largest_component, largest_component));
    return std::nullopt;
  }

 private:
  std::string place(std::string_view key) const {
    return path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
  }
  const toml::table& table_;
  std::string path_;
  Problems& problems_;
};

using Value = laws::Key::Value;

/// Nothing where it is not given, or was refused.
std::optional<Value> read_parameter(Table& table, const ContactParameter& p) {
  const toml::node* node = table.get(p.name);
  if (p.kind == KeyForm::Kind::number) {
    if (const auto x = table.number(p, p.required())) return *x;
    return std::nullopt;
  }
  if (!node) return std::nullopt;
  Names choices;
  for (const auto& [word, meaning] : p.words) choices.push_back(word);
  if (p.kind == KeyForm::Kind::truth) {
    if (node->is_boolean()) return node->as_boolean()->get();
    table.refuse(p.name, node, "true or false");
  } else if (p.kind == KeyForm::Kind::word) {
    const auto word = table.word(p.name, "one of " + listed(choices), false);
    if (word && std::ranges::find(choices, *word) != choices.end()) return *word;
    if (word) table.refuse(p.name, node, fmt::format("one of {}{}", listed(choices), nearest(*word, choices, "value")));
  } else {
    std::vector<std::string> list;
    const auto* entries = node->as_array();
    if (entries)
      for (const auto& entry : *entries)
        if (const auto* s = entry.as_string(); s && std::ranges::find(choices, s->get()) != choices.end() &&
                                               std::ranges::find(list, s->get()) == list.end())
          list.push_back(s->get());
    if (entries && list.size() == entries->size()) return list;
    table.refuse(p.name, node, "a list, empty or of " + listed(choices) + ", each once");
  }
  return std::nullopt;
}

/// Spheres of one material, or the coefficients of their contact.
void read_hertz(Table& table, const std::vector<ContactParameter>& rows, std::map<std::string, double>& numbers,
                ContactDrive& drive) {
  const auto given = [&](const char* name) { return numbers.contains(name); };
  const double radius = laws::Hertz::radius_of(numbers["radius_i"], numbers["radius_j"]);
  if (given("radius_i") && given("radius_j") && numbers["radius_i"] > 0 && numbers["radius_j"] > 0)
    drive.largest_overlap = std::min(largest_shift, numbers["radius_i"] + numbers["radius_j"]);
  const bool own = given("hertz_normal_stiffness") || given("hertz_tangential_stiffness");
  for (const char* key : {"shear_modulus", "poisson_ratio"}) {
    if (own && table.get(key)) table.refuse(key, "it beside hertz_normal_stiffness", "one of the two");
    if (!own && !table.get(key))
      table.refuse(key, nullptr, std::ranges::find(rows, key, &ContactParameter::name)->allowed());
  }
  for (const char* key : {"hertz_normal_stiffness", "hertz_tangential_stiffness"})
    if (own && !table.get(key)) table.refuse(key, nullptr, "a number > 0");
  if (own) {
    const double k_n = numbers["hertz_normal_stiffness"];
    drive.hertz = {2 * k_n, 1.5 * k_n / numbers["hertz_tangential_stiffness"], radius};
  } else {
    const double poisson_ratio = numbers["poisson_ratio"];
    drive.hertz = {laws::Hertz::modulus_of(numbers["shear_modulus"], poisson_ratio),
                   laws::Hertz::ratio_of(poisson_ratio), radius};
  }
}

/// `ratio`: k_t/k_n.
void read_damping(Table& table, std::map<std::string, double>& numbers, double ratio, ContactDrive& drive) {
  const auto given = [&](const char* name) { return numbers.contains(name); };
  drive.normal_damping = numbers["normal_damping"];
  if (given("normal_damping_rate")) {
    for (const char* key : {"normal_damping", "tangential_damping"})
      if (table.get(key)) table.refuse(key, "it beside normal_damping_rate", "one of the two");
    if (!given("reduced_mass"))
      table.refuse("reduced_mass", table.get("reduced_mass"), "a number > 0 with normal_damping_rate");
    drive.normal_damping = numbers["normal_damping_rate"] * numbers["reduced_mass"];
    drive.damping_by_radius = drive.law->hertzian;
  } else {
    for (const char* key : {"tangential_damping_rate", "reduced_mass"})
      if (table.get(key)) table.refuse(key, table.get(key), "none without normal_damping_rate");
  }
  if (given("tangential_damping_rate"))
    drive.tangential_damping = numbers["tangential_damping_rate"] * numbers["reduced_mass"];
  else
    drive.tangential_damping = given("tangential_damping") ? numbers["tangential_damping"]
                                                           : drive.normal_damping * drive.law->damping_ratio(ratio);
}

void read_parameters(const toml::table& document, Problems& problems, ContactDrive& drive) {
  const std::vector<ContactParameter> rows = contact_parameters(*drive.law);
  Names known;
  for (const ContactParameter& p : rows) known.push_back(p.name);
  static const toml::table none;
  const toml::node* node = document.get("parameters");
  if (node && !node->is_table()) return problems.add("parameters", shown(*node), "one table [parameters]");
  Table table(node ? *node->as_table() : none, "parameters", known,
              fmt::format("the parameters of law {} (dem help {})", drive.law.name(), drive.law.name()), problems);
  std::map<std::string, double> numbers;
  drive.clip_tension = drive.law->clips_tension;
  for (const ContactParameter& p : rows) {
    const std::optional<Value> value = read_parameter(table, p);
    if (!value) continue;
    if (p.option)
      p.option->set(drive.law.data(), *value);
    else if (p.kind == KeyForm::Kind::number)
      numbers[p.name] = std::get<double>(*value);
    else if (p.name == "damp_while_sliding")
      drive.flags.damp_while_sliding = std::get<bool>(*value);
    else if (p.name == "clip_tension")
      drive.clip_tension = std::get<bool>(*value);
    else
      for (const auto& word : case_file::words_of(Transport{}))  // transport
        if (word.name == std::get<std::string>(*value)) drive.transport = word.value;
  }
  drive.normal_stiffness = numbers["normal_stiffness"];
  drive.tangential_stiffness = numbers["tangential_stiffness"];
  drive.friction = numbers["friction"];
  double ratio = drive.normal_stiffness > 0 ? drive.tangential_stiffness / drive.normal_stiffness : 0;
  if (drive.law->hertzian) {
    read_hertz(table, rows, numbers, drive);
    ratio = 1 / drive.hertz.ratio;
  }
  read_damping(table, numbers, ratio, drive);
}

/// What the law says of its options, `time_step` of [path] among what it looks at.
void check_law(const toml::table& document, const ContactDrive& drive, Problems& problems) {
  const laws::Setting setting{.friction = drive.friction,
                              .damp_while_sliding = drive.flags.damp_while_sliding,
                              .time_step = drive.time_step,
                              .table = ""};
  drive.law->check(drive.law.data(), setting, [&](std::string_view key, std::string_view allowed) {
    const std::string place = fmt::format("{}.{}", key == "time_step" ? "path" : "parameters", key);
    const auto node = document.at_path(place);
    problems.add(place, node ? shown(*node.node()) : "nothing", allowed);
  });
}

void read_start(Table& path, ContactDrive& drive) {
  drive.time_step = path.number("time_step", 1e-18, 1e15).value_or(0);
  drive.start_overlap = path.number("start_overlap", -largest_shift, drive.largest_overlap).value_or(0);
  bool normal_known = false;
  if (drive.global) {
    if (!path.get("start_normal"))
      path.refuse("start_normal", "nothing",
                  "a list of 3 numbers, the unit normal from i to j (required with frame = \"global\")");
    if (const auto n = path.vector("start_normal", 3)) {
      const Vec3 normal{(*n)[0], (*n)[1], (*n)[2]};
      const double length = norm(normal);
      if (std::abs(length - 1) > unit_tolerance)
        path.refuse("start_normal", fmt::format("a vector of length {}", length),
                    "a vector of unit length (within 1e-6)");
      else {
        drive.start_normal = (1 / length) * normal;
        normal_known = true;
      }
    }
  } else if (path.get("start_normal")) {
    path.refuse("start_normal", "it with frame = \"contact\"",
                "only with frame = \"global\": directions 1 and 2 are those of the contact");
  }
  const auto force = path.vector("start_force", drive.global ? 3 : 2);
  if (!force) return;
  drive.start_force = {(*force)[0], (*force)[1], drive.global ? (*force)[2] : 0};
  const double size = norm(drive.start_force);
  if (size == 0) return;
  if (!drive.law->start)
    return path.refuse("start_force", path.get("start_force"),
                       fmt::format("zero: one force does not define the history of law {}", drive.law.name()));
  if (!(drive.start_overlap > 0))
    return path.refuse("start_force", path.get("start_force"),
                       "zero unless start_overlap > 0: bodies apart have no force");
  if (!normal_known) return;
  const double along = dot(drive.start_force, drive.start_normal);
  if (std::abs(along) > unit_tolerance * size)
    return path.refuse("start_force", fmt::format("{} N along start_normal", along),
                       "a tangential force, square to start_normal (within 1e-6)");
  drive.start_force -= along * drive.start_normal;
}

}  // namespace

ContactDrive read_contact_drive(const fs::path& file) {
  const toml::table document = parse_toml(read_toml_file(file), file.string());
  Problems problems(file.string());
  ContactDrive drive;
  static const Names root_keys{"format", "title", "law", "parameters", "path"};
  static const Names path_keys{"file", "frame", "time_step", "start_overlap", "start_force", "start_normal"};
  Table root(document, "", root_keys, "the keys of a drive", problems);
  if (const toml::node* format = root.get("format"); format && format->value<std::int64_t>() != 1)
    root.refuse("format", format, "1: this version reads no other format");
  Names names;
  bool known = false;
  for (const auto& law : laws::catalogue()) names.push_back(law.name);
  if (const auto name = root.word("law", "one of " + listed(names), true)) {
    known = laws::find(*name) != nullptr;
    if (known)
      drive.law = *name;
    else
      root.refuse("law", fmt::format("\"{}\"", printable(*name)),
                  fmt::format("one of {}{}", listed(names), nearest(*name, names, "law")));
  }
  if (known) read_parameters(document, problems, drive);

  const toml::node* node = document.get("path");
  std::optional<std::string> path_file, frame;
  if (!node || !node->is_table()) {
    problems.add("path", node ? shown(*node) : "nothing", "one table [path] with file and frame (required)");
  } else {
    Table path(*node->as_table(), "path", path_keys, "the keys of [path]", problems);
    path_file = path.word("file", "the name of a CSV file, relative to this one", true);
    frame = path.word("frame", "one of \"contact\", \"global\"", true);
    if (frame && *frame != "contact" && *frame != "global") {
      path.refuse("frame", fmt::format("\"{}\"", printable(*frame)), "one of \"contact\", \"global\"");
      frame.reset();
    }
    drive.global = frame == "global";
    if (known && frame) {
      read_start(path, drive);
      check_law(document, drive, problems);
    }
  }
  std::vector<std::string> errors = problems.messages(), in_path;
  if (path_file && frame) contact_path::read_rows((file.parent_path() / *path_file).lexically_normal(), drive, in_path);
  errors.insert(errors.end(), in_path.begin(), in_path.end());
  if (!errors.empty()) throw CaseErrors(errors);
  return drive;
}

std::string contact_drive_table(const ContactDrive& drive, const std::vector<DriveState>& states) {
  std::string text = drive.global ? "step,normal_force,tangential_x,tangential_y,tangential_z"
                                  : "step,normal_force,tangential_1,tangential_2";
  text += ",regime,stored_normal,stored_tangential,work_tangential,dissipated\n";
  const auto add = [&](double x) { text += fmt::format(",{:.17g}", x + 0.0); };  // no negative zero
  for (std::size_t k = 0; k < states.size(); ++k) {
    const DriveState& s = states[k];
    text += fmt::format("{}", k);
    add(s.normal_force);
    add(s.tangential.x);
    add(s.tangential.y);
    if (drive.global) add(s.tangential.z);
    text += fmt::format(",{}", name_of(s.regime));
    for (const double x : {s.stored_normal, s.stored_tangential, s.work, s.dissipated}) add(x);
    text += '\n';
  }
  return text;
}

}  // namespace dem
