#include "libdem/files/contact_drive_file.hpp"

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
#include "libdem/contacts/contact_frame.hpp"
#include "libdem/files/case_file.hpp"
#include "libdem/files/case_problems.hpp"
#include "libdem/files/case_words.hpp"
#include "libdem/files/text_file.hpp"
#include "libdem/files/toml_text.hpp"
#include "libdem/laws/parameters.hpp"

namespace dem {
namespace {

namespace fs = std::filesystem;
using case_file::Problems;
using laws::Parameter;
using Names = std::vector<std::string_view>;

std::string listed(const Names& names, bool quoted = true) {
  std::string text;
  for (const auto name : names) {
    text += text.empty() ? "" : ", ";
    text += quoted ? fmt::format("\"{}\"", name) : std::string(name);
  }
  return text;
}

/// "; nearest known: …", or nothing where no word is near.
std::string nearest(std::string_view word, const Names& known, std::string_view what) {
  std::string_view best;
  int least = case_file::near_enough(word);
  for (const auto name : known)
    if (const int d = case_file::edit_distance(word, name); d <= least) least = d - 1, best = name;
  return best.empty() ? "" : fmt::format("; nearest known {}: {}", what, best);
}

constexpr double largest_component = 1e24;   // N
constexpr double largest_shift = 1e4;        // m: no grains are so large that they move so far in contact
constexpr double largest_rotation = 2 * std::numbers::pi;  // rad

/// One table of the drive. `known`: all its keys.
class Table {
 public:
  Table(const toml::table& table, std::string path, const Names& known, std::string_view of, Problems& problems)
      : table_(table), path_(std::move(path)), problems_(problems) {
    problems_.given(path_, line_of(table));
    for (const auto& [key, node] : table) {
      const std::string name(key.str());
      problems_.given(place(name), line_of(node));
      if (std::ranges::find(known, std::string_view(name)) == known.end())
        refuse(name, "an unknown key", fmt::format("{}: {}{}", of, listed(known, false), nearest(name, known, "key")));
    }
  }
  const toml::node* get(std::string_view key) const { return table_.get(key); }
  void refuse(std::string_view key, std::string_view found, std::string_view allowed) { problems_.add(place(key), found, allowed); }
  void refuse(std::string_view key, const toml::node* node, std::string_view allowed) {
    if (node) refuse(key, shown(*node), allowed);
    else refuse(key, "nothing", fmt::format("{} (required)", allowed));
  }
  std::optional<std::string> word(std::string_view key, std::string_view allowed, bool required) {
    const toml::node* node = get(key);
    if (!node && !required) return std::nullopt;
    if (node && node->is_string()) return node->as_string()->get();
    refuse(key, node, allowed);
    return std::nullopt;
  }
  std::optional<double> number(std::string_view key, double low, double high) {
    return number(Parameter{.name = key, .unit = {}, .meaning = {}, .low = low, .high = high}, false);
  }
  std::optional<double> number(const Parameter& p, bool required) {
    const toml::node* node = get(p.name);
    if (!node && !required) return std::nullopt;
    const auto x = node && node->is_number() ? node->value<double>() : std::nullopt;
    if (x && std::isfinite(*x) && (p.low_open ? *x > p.low : *x >= p.low) && *x <= p.high) return x;
    refuse(p.name, node, p.range());
    return std::nullopt;
  }
  std::optional<std::vector<double>> vector(std::string_view key, std::size_t size) {
    const toml::node* node = get(key);
    if (!node) return std::nullopt;
    std::vector<double> read;
    if (const auto* list = node->as_array())
      for (const auto& entry : *list)
        if (const auto x = entry.is_number() ? entry.value<double>() : std::nullopt; x && std::abs(*x) <= largest_component) read.push_back(*x);
    if (read.size() == size && node->as_array()->size() == size) return read;
    refuse(key, node, fmt::format("a list of {} numbers, each from {:g} to {:g}", size, -largest_component, largest_component));
    return std::nullopt;
  }

 private:
  std::string place(std::string_view key) const { return path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key); }
  const toml::table& table_;
  std::string path_;
  Problems& problems_;
};

struct Values {
  std::map<std::string_view, double> numbers;
  std::map<std::string_view, bool> truths;
  std::map<std::string_view, std::string> words;
  std::map<std::string_view, std::vector<std::string>> lists;
};

void read_parameter(Table& table, const Parameter& p, Values& values) {
  const toml::node* node = table.get(p.name);
  if (p.kind == Parameter::Kind::number) {
    if (const auto x = table.number(p, p.required())) values.numbers[p.name] = *x;
  } else if (!node) {
    return;
  } else if (p.kind == Parameter::Kind::truth) {
    if (node->is_boolean()) values.truths[p.name] = node->as_boolean()->get();
    else table.refuse(p.name, node, "true or false");
  } else if (p.kind == Parameter::Kind::word) {
    const auto word = table.word(p.name, "one of " + listed(p.choices), false);
    if (word && std::ranges::find(p.choices, *word) == p.choices.end())
      table.refuse(p.name, node, fmt::format("one of {}{}", listed(p.choices), nearest(*word, p.choices, "value")));
    else if (word) values.words[p.name] = *word;
  } else {
    std::vector<std::string> list;
    const auto* entries = node->as_array();
    if (entries)
      for (const auto& entry : *entries)
        if (const auto* s = entry.as_string(); s && std::ranges::find(p.choices, s->get()) != p.choices.end() && std::ranges::find(list, s->get()) == list.end())
          list.push_back(s->get());
    if (!entries || list.size() != entries->size()) table.refuse(p.name, node, "a list, empty or of " + listed(p.choices) + ", each once");
    else values.lists[p.name] = list;
  }
}

void read_parameters(const toml::table& document, Problems& problems, ContactDrive& drive) {
  const auto rows = laws::parameters(drive.law->name);
  Names known;
  for (const Parameter& p : rows) known.push_back(p.name);
  static const toml::table none;
  const toml::node* node = document.get("parameters");
  if (node && !node->is_table()) return problems.add("parameters", shown(*node), "one table [parameters]");
  Table table(node ? *node->as_table() : none, "parameters", known, fmt::format("the parameters of law {} (dem help {})", drive.law->name, drive.law->name), problems);
  Values v;
  for (const Parameter& p : rows) read_parameter(table, p, v);
  const auto given = [&v](std::string_view name) { return v.numbers.contains(name); };
  drive.normal_stiffness = v.numbers["normal_stiffness"];
  drive.tangential_stiffness = v.numbers["tangential_stiffness"];
  drive.friction = v.numbers["friction"];
  drive.normal_damping = v.numbers["normal_damping"];
  double ratio = drive.normal_stiffness > 0 ? drive.tangential_stiffness / drive.normal_stiffness : 0;
  if (drive.law->hertzian) {
    const double radius = laws::Hertz::radius_of(v.numbers["radius_i"], v.numbers["radius_j"]);
    if (given("radius_i") && given("radius_j")) drive.largest_overlap = std::min(largest_shift, v.numbers["radius_i"] + v.numbers["radius_j"]);
    const bool own = given("hertz_normal_stiffness") || given("hertz_tangential_stiffness");
    for (const char* key : {"shear_modulus", "poisson_ratio"}) {
      if (own && table.get(key)) table.refuse(key, "it beside hertz_normal_stiffness", "one of the two");
      if (!own && !table.get(key)) table.refuse(key, nullptr, std::ranges::find(rows, std::string_view(key), &Parameter::name)->range());
    }
    for (const char* key : {"hertz_normal_stiffness", "hertz_tangential_stiffness"})
      if (own && !table.get(key)) table.refuse(key, nullptr, "a number > 0");
    if (own) {
      const double k_n = v.numbers["hertz_normal_stiffness"];
      drive.hertz = {2 * k_n, 1.5 * k_n / v.numbers["hertz_tangential_stiffness"], radius};
    } else {
      const double poisson_ratio = v.numbers["poisson_ratio"];
      drive.hertz = {laws::Hertz::modulus_of(v.numbers["shear_modulus"], poisson_ratio), laws::Hertz::ratio_of(poisson_ratio), radius};
    }
    ratio = 1 / drive.hertz.ratio;
  }
  drive.options.merge_slope = v.numbers["merge_slope"];
  if (drive.options.merge_slope > 2 * drive.friction)
    table.refuse("merge_slope", table.get("merge_slope"), fmt::format("a number in [0, {}], twice the friction: slopes cannot differ by more", 2 * drive.friction));
  drive.options.merge_error = v.numbers["merge_error"];
  if (drive.options.merge_slope > 0 && drive.options.merge_error > 0)
    table.refuse("merge_error", table.get("merge_error"), "0 beside merge_slope: legs are merged by one rule");
  const auto choose = [&v](std::string_view name, auto& value) {
    if (!v.words.contains(name)) return;
    for (const auto& word : case_file::words_of(value))
      if (word.name == v.words[name]) value = word.value;
  };
  choose("memory", drive.options.memory);
  choose("history", drive.options.history);
  choose("friction_limit", drive.options.friction_limit);
  choose("hertz_variant", drive.options.hertz_variant);
  if (drive.options.history != TangentialHistory::whole)
    for (const char* idle : {"friction_limit", "hertz_variant"})
      if (v.words.contains(idle))
        table.refuse(idle, table.get(idle), "none without a history: the total force is limited, and nothing is carried from row to row");
  drive.options.pursuit = v.words["sliding_direction"] == "closed-form";
  if (given("normal_damping_rate")) {
    for (const char* key : {"normal_damping", "tangential_damping"})
      if (table.get(key)) table.refuse(key, "it beside normal_damping_rate", "one of the two");
    if (!given("reduced_mass")) table.refuse("reduced_mass", table.get("reduced_mass"), "a number > 0 with normal_damping_rate");
    drive.normal_damping = v.numbers["normal_damping_rate"] * v.numbers["reduced_mass"];
    drive.damping_by_radius = drive.law->hertzian;
  } else {
    for (const char* key : {"tangential_damping_rate", "reduced_mass"})
      if (table.get(key)) table.refuse(key, table.get(key), "none without normal_damping_rate");
  }
  if (given("tangential_damping_rate")) drive.tangential_damping = v.numbers["tangential_damping_rate"] * v.numbers["reduced_mass"];
  else drive.tangential_damping = given("tangential_damping") ? v.numbers["tangential_damping"] : drive.normal_damping * drive.law->damping_ratio(ratio);
  drive.options.damp_while_sliding = v.truths["damp_while_sliding"];
  drive.clip_tension = v.truths.contains("clip_tension") ? v.truths["clip_tension"] : drive.law->name == "linear-refined";
  choose("transport", drive.transport);
  if (!drive.law->transform && !follows_frame(drive.transport))
    table.refuse("transport", fmt::format("\"{}\"", v.words["transport"]),
                 fmt::format("\"exact\" or \"swing-twist\": the history of law {} is more than one vector", drive.law->name));
  if (v.lists.contains("refinements")) {
    const auto on = [&](const char* name) { return std::ranges::find(v.lists["refinements"], name) != v.lists["refinements"].end(); };
    drive.options.part_of_step = on("part-of-step");
    drive.options.onset = on("onset");
    drive.options.direction = on("direction");
  }
  drive.options.trapezoid_work = v.words["sliding_work"] == "trapezoid";
}

constexpr double unit_tolerance = 1e-6;  // of a unit vector and of tangency, which files give in decimals

void read_start(Table& path, ContactDrive& drive) {
  drive.time_step = path.number("time_step", 1e-18, 1e15).value_or(0);
  if (drive.options.history == TangentialHistory::pseudo && !(drive.time_step > 0))
    path.refuse("time_step", path.get("time_step"),
                "a number > 0 with history = \"pseudo\": its spring holds the movement of one row, and is nothing without the time of a row");
  drive.start_overlap = path.number("start_overlap", -largest_shift, drive.largest_overlap).value_or(0);
  if (drive.global) {
    if (!path.get("start_normal")) path.refuse("start_normal", "nothing", "a list of 3 numbers, the unit normal from i to j (required with frame = \"global\")");
    if (const auto n = path.vector("start_normal", 3)) {
      const Vec3 normal{(*n)[0], (*n)[1], (*n)[2]};
      const double length = norm(normal);
      if (std::abs(length - 1) > unit_tolerance)
        path.refuse("start_normal", fmt::format("a vector of length {}", length), "a vector of unit length (within 1e-6)");
      else drive.start_normal = (1 / length) * normal;
    }
  } else if (path.get("start_normal")) {
    path.refuse("start_normal", "it with frame = \"contact\"", "only with frame = \"global\": directions 1 and 2 are those of the contact");
  }
  const auto force = path.vector("start_force", drive.global ? 3 : 2);
  if (!force) return;
  drive.start_force = {(*force)[0], (*force)[1], drive.global ? (*force)[2] : 0};
  const double size = norm(drive.start_force);
  if (size == 0) return;
  if (!drive.law->start)
    return path.refuse("start_force", path.get("start_force"), fmt::format("zero: one force does not define the history of law {}", drive.law->name));
  if (!(drive.start_overlap > 0)) return path.refuse("start_force", path.get("start_force"), "zero unless start_overlap > 0: bodies apart have no force");
  if (!drive.global) return;
  const double along = dot(drive.start_force, drive.start_normal);
  if (std::abs(along) > unit_tolerance * size)
    return path.refuse("start_force", fmt::format("{} N along start_normal", along), "a tangential force, square to start_normal (within 1e-6)");
  drive.start_force -= along * drive.start_normal;
}

/// The table of the path, cells as numbers.
class PathFile {
 public:
  PathFile(const fs::path& file, const Names& columns, std::vector<std::string>& errors) : file_(file.string()), columns_(columns), errors_(errors) {
    std::istringstream lines(read_data_file(file));
    std::string line;
    while (std::getline(lines, line)) {
      ++line_;
      const std::string text = trimmed(line);
      if (text.empty() || text[0] == '#') continue;
      if (place_.empty()) read_header(text);
      else read_row(text);
      if (place_.empty() || errors_.size() >= 20) return;  // nothing sensible can follow
    }
    if (place_.empty()) error(1, 0, "", "an empty file", "a header line with the columns " + listed(columns_, false));
    else if (rows.empty() && errors_.empty()) error(line_, 0, "", "no row behind the header", "a row a step");
  }

  struct Row { int line; std::vector<double> values; };  ///< values in the order of the columns asked for
  std::vector<Row> rows;
  void error(int line, int column, std::string_view name, std::string_view found, std::string_view allowed) {
    errors_.push_back(fmt::format("{}:{}{}: {}found {}, allowed {}", file_, line, column > 0 ? fmt::format(":{}", column) : "",
                                  name.empty() ? "" : fmt::format("{}: ", name), found, allowed));
  }

 private:
  static std::string trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r\xEF\xBB\xBF"), last = text.find_last_not_of(" \t\r");
    return first == std::string_view::npos ? "" : std::string(text.substr(first, last - first + 1));
  }
  static std::vector<std::string> cells(const std::string& line) {
    std::vector<std::string> all;
    std::size_t from = 0;
    while (true) {
      const auto comma = line.find(',', from);
      all.push_back(trimmed(std::string_view(line).substr(from, comma == std::string::npos ? comma : comma - from)));
      if (comma == std::string::npos) return all;
      from = comma + 1;
    }
  }
  void read_header(const std::string& text) {
    names_ = cells(text);
    std::vector<std::size_t> place;
    for (std::size_t k = 0; k < names_.size(); ++k) {
      const std::string_view name = names_[k];
      if (std::ranges::find(columns_, name) == columns_.end())
        error(line_, int(k) + 1, "", fmt::format("an unknown column \"{}\"", printable(name)),
              fmt::format("the columns {}{}", listed(columns_, false), nearest(name, columns_, "column")));
      else if (std::ranges::find(names_, name) != names_.begin() + std::ptrdiff_t(k))
        error(line_, int(k) + 1, "", fmt::format("column \"{}\" twice", printable(name)), "each column once");
    }
    for (const auto column : columns_) {
      const auto at = std::ranges::find(names_, column);
      if (at == names_.end()) error(line_, 0, "", fmt::format("no column \"{}\"", column), fmt::format("the columns {}", listed(columns_, false)));
      else place.push_back(std::size_t(at - names_.begin()));
    }
    if (errors_.empty()) place_ = place;
  }
  void read_row(const std::string& text) {
    const auto found = cells(text);
    if (found.size() != names_.size())
      return error(line_, 0, "", fmt::format("{} value{}", found.size(), found.size() == 1 ? "" : "s"),
                   fmt::format("{}, one for each column of the header", names_.size()));
    Row row{line_, {}};
    for (const std::size_t k : place_) {
      const std::string& cell = found[k];
      double value = 0;
      const char* const first = cell.data() + (cell.starts_with('+') ? 1 : 0);
      const auto [end, status] = std::from_chars(first, cell.data() + cell.size(), value);
      if (cell.empty()) error(line_, int(k) + 1, names_[k], "an empty cell", "a number");
      else if (status != std::errc{} || end != cell.data() + cell.size() || !std::isfinite(value))
        error(line_, int(k) + 1, names_[k], fmt::format("\"{}\"", printable(cell)), "a finite number");
      row.values.push_back(value);
    }
    rows.push_back(std::move(row));
  }

  std::string file_;
  const Names& columns_;
  std::vector<std::string>& errors_;
  std::vector<std::string> names_;
  std::vector<std::size_t> place_;  // of columns_ in the file
  int line_ = 0;
};

void read_rows(const fs::path& file, ContactDrive& drive, std::vector<std::string>& errors) {
  static const Names contact{"overlap", "shift_1", "shift_2"};
  static const Names global{"overlap",      "normal_x",     "normal_y",     "normal_z",     "shift_x",      "shift_y",     "shift_z",
                            "rotation_i_x", "rotation_i_y", "rotation_i_z", "rotation_j_x", "rotation_j_y", "rotation_j_z"};
  const Names& columns = drive.global ? global : contact;
  PathFile path(file, columns, errors);
  Vec3 before = drive.start_normal;
  for (const auto& [line, v] : path.rows) {
    DriveRow row;
    row.overlap = v[0];
    if (row.overlap > drive.largest_overlap || row.overlap < -largest_shift)
      path.error(line, 0, "overlap", fmt::format("{} m", row.overlap),
                 fmt::format("from {:.5g} to {:.5g} m{}", -largest_shift, drive.largest_overlap, drive.law && drive.law->hertzian ? ": with the sum of the radii the centres meet" : ""));
    for (std::size_t k = drive.global ? 4 : 1; k < v.size(); ++k) {
      const double most = k < 7 ? largest_shift : largest_rotation;
      if (std::abs(v[k]) > most) path.error(line, 0, columns[k], fmt::format("{} {}", v[k], k < 7 ? "m" : "rad"), fmt::format("from {:.4g} to {:.4g} in a row", -most, most));
    }
    if (!drive.global) {
      row.shift = {v[1], v[2], 0};
    } else {
      row.normal = {v[1], v[2], v[3]};
      row.shift = {v[4], v[5], v[6]};
      row.rotation_i = {v[7], v[8], v[9]};
      row.rotation_j = {v[10], v[11], v[12]};
      const double length = norm(row.normal);
      if (!(std::abs(length - 1) <= unit_tolerance)) {
        path.error(line, 0, "normal_x, normal_y, normal_z", fmt::format("a vector of length {}", length), "a vector of unit length (within 1e-6)");
        continue;
      }
      row.normal = (1 / length) * row.normal;
      if (turned_over(before, row.normal))
        path.error(line, 0, "normal_x, normal_y, normal_z", "the opposite of the normal before", "a turn of less than half a turn in a row");
      before = row.normal;
      const double along = dot(row.shift, row.normal);
      if (std::abs(along) > unit_tolerance * norm(row.shift))
        path.error(line, 0, "shift_x, shift_y, shift_z", fmt::format("{} m along the normal", along),
                   "a tangential movement, square to the normal at the end of the row (within 1e-6)");
    }
    drive.rows.push_back(row);
  }
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
  for (const auto& law : laws::catalogue()) names.push_back(law.name);
  if (const auto name = root.word("law", "one of " + listed(names), true)) {
    drive.law = laws::find(*name);
    if (!drive.law) root.refuse("law", fmt::format("\"{}\"", printable(*name)), fmt::format("one of {}{}", listed(names), nearest(*name, names, "law")));
  }
  if (drive.law) read_parameters(document, problems, drive);

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
    if (drive.law && frame) read_start(path, drive);
  }
  std::vector<std::string> errors = problems.messages(), in_path;
  if (path_file && frame) read_rows((file.parent_path() / *path_file).lexically_normal(), drive, in_path);
  errors.insert(errors.end(), in_path.begin(), in_path.end());
  if (!errors.empty()) throw CaseErrors(errors);
  return drive;
}

std::string contact_drive_table(const ContactDrive& drive, const std::vector<DriveState>& states) {
  std::string text = drive.global ? "step,normal_force,tangential_x,tangential_y,tangential_z" : "step,normal_force,tangential_1,tangential_2";
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
