#include "libdem/case/contact_drive_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>

#include "libdem/case/case_file.hpp"
#include "libdem/case/contact_parameters.hpp"
#include "libdem/case/contact_path.hpp"
#include "libdem/case/of_laws.hpp"
#include "libdem/case/table_reader.hpp"
#include "libdem/case/value.hpp"
#include "libdem/contacts/contact_frame.hpp"
#include "libdem/laws/jaeger_traction.hpp"

namespace dem {
namespace {

namespace fs = std::filesystem;
using namespace case_file;
using contact_path::largest_shift, contact_path::unit_tolerance;

constexpr double largest_component = 1e24;  // N
constexpr int no_dimension = 2;             // vectors of a drive do not depend on the dimension

/// [parameters] of the file, by name.
using Parameters = std::map<std::string, laws::Key::Value>;

Section<Parameters> parameter_section(const std::vector<ContactParameter>& rows) {
  Section<Parameters> section{"parameters", "", {}};
  for (const ContactParameter& p : rows) {
    const auto read = [p](const Value& value, Parameters& out) {
      laws::Key::Value x;
      return decode_key(p, value, x) && (out[p.name] = x, true);
    };
    auto& row = section.fields.emplace_back(own_field<Parameters>(p.name, describe_key(p).allowed, read));
    row.required = p.required();
    for (const auto& [word, meaning] : p.words) row.words.push_back(word);
  }
  return section;
}

struct RootDraft {
  int format = 1;
  std::string title, law;
};
const Section<RootDraft>& root_section() {
  using T = RootDraft;
  static OfLaws<Section<T>> section([] {
    Names laws;
    for (const auto& law : laws::catalogue()) laws.push_back(law.name);
    return Section<T>{
        "",
        "",
        {field<T>("format", &T::format, Range{1, 1}).allow("whole number", "1: this version reads no other format"),
         field<T>("title", &T::title), field<T>("law", &T::law, laws).require()}};
  });
  return section.get();
}

enum class Frame { contact, global };
Words<Frame> words_of(Frame) {
  return {{Frame::contact, "contact", "along the normal and two tangents"}, {Frame::global, "global", "in space"}};
}
struct PathDraft {
  std::filesystem::path file;
  Frame frame = Frame::contact;
  double time_step = 0, start_overlap = 0;
  std::vector<double> start_force, start_normal;
};

Field<PathDraft> components(std::string name, std::vector<double> PathDraft::*member, std::size_t size,
                            std::string_view more) {
  Field<PathDraft> row = field<PathDraft>(std::move(name), member, Range{-largest_component, largest_component})
                             .allow("list of numbers", fmt::format("a list of {} numbers, each from {:g} to {:g}{}",
                                                                   size, -largest_component, largest_component, more));
  row.read = [read = std::move(row.read), member, size](const Value& value, PathDraft& out) {
    return read(value, out) && (out.*member).size() == size;
  };
  return row;
}

/// The keys of [path]; `file` is that of a drive in a file.
Section<PathDraft> path_section(bool with_file) {
  using T = PathDraft;
  Section<T> section{
      "path",
      "",
      {field<T>("frame", &T::frame).require(), field<T>("time_step", &T::time_step, Range{1e-18, 1e15}),
       field<T>("start_overlap", &T::start_overlap, Range{-largest_shift, largest_shift}),
       components("start_force", &T::start_force, 2, "").only({"contact"}),
       components("start_force", &T::start_force, 3, "").only({"global"}),
       components("start_normal", &T::start_normal, 3, ": the unit normal from i to j").only({"global"}).require()},
      "frame"};
  if (with_file)
    section.fields.insert(
        section.fields.begin(),
        field<T>("file", &T::file).allow("file name", "the name of a CSV file, relative to this one").require());
  return section;
}

/// The numbers of [parameters], and refusals there.
class Numbers {
 public:
  Numbers(const Parameters& given, Problems& problems) : given_(given), problems_(problems) {}
  double operator[](const std::string& name) const { return given(name) ? std::get<double>(given_.at(name)) : 0; }
  bool given(const std::string& name) const { return given_.contains(name); }
  void refuse(const std::string& name, std::string_view found, std::string_view allowed) const {
    problems_.add("parameters." + name, found, allowed);
  }
  void refuse_beside(const std::string& name, std::string_view other) const {
    if (given(name)) refuse(name, fmt::format("this key beside {}", other), "one of the two");
  }
  void require(const std::string& name, std::string_view allowed) const {
    if (!problems_.is_given("parameters." + name)) refuse(name, "nothing", fmt::format("{} (required)", allowed));
  }

 private:
  const Parameters& given_;
  Problems& problems_;
};

/// Reads spheres of one material, or the coefficients of their contact.
void read_hertz(const Numbers& numbers, const std::vector<ContactParameter>& rows, ContactDrive& drive) {
  const double radius_i = numbers["radius_i"], radius_j = numbers["radius_j"];
  const double radius = laws::Hertz::radius_of(radius_i, radius_j);
  if (radius_i > 0 && radius_j > 0) drive.largest_overlap = std::min(largest_shift, radius_i + radius_j);
  if (numbers.given("hertz_normal_stiffness") || numbers.given("hertz_tangential_stiffness")) {
    for (const char* key : {"shear_modulus", "poisson_ratio"}) numbers.refuse_beside(key, "hertz_normal_stiffness");
    for (const char* key : {"hertz_normal_stiffness", "hertz_tangential_stiffness"})
      numbers.require(key, "a number > 0");
    const double k_n = numbers["hertz_normal_stiffness"];
    drive.hertz = {2 * k_n, 1.5 * k_n / numbers["hertz_tangential_stiffness"], radius};
  } else {
    for (const char* key : {"shear_modulus", "poisson_ratio"})
      numbers.require(key, std::ranges::find(rows, key, &ContactParameter::name)->allowed());
    const double poisson_ratio = numbers["poisson_ratio"];
    drive.hertz = {laws::Hertz::modulus_of(numbers["shear_modulus"], poisson_ratio),
                   laws::Hertz::ratio_of(poisson_ratio), radius};
  }
}

/// `ratio` is k_t/k_n.
void read_damping(const Numbers& numbers, double ratio, ContactDrive& drive) {
  drive.normal_damping = numbers["normal_damping"];
  if (numbers.given("normal_damping_rate")) {
    for (const char* key : {"normal_damping", "tangential_damping"}) numbers.refuse_beside(key, "normal_damping_rate");
    numbers.require("reduced_mass", "a number > 0 with normal_damping_rate");
    drive.normal_damping = numbers["normal_damping_rate"] * numbers["reduced_mass"];
    drive.damping_by_radius = drive.law->hertzian;
  } else {
    for (const char* key : {"tangential_damping_rate", "reduced_mass"})
      if (numbers.given(key)) numbers.refuse(key, fmt::format("{}", numbers[key]), "none without normal_damping_rate");
  }
  drive.tangential_damping =
      numbers.given("tangential_damping_rate") ? numbers["tangential_damping_rate"] * numbers["reduced_mass"]
      : numbers.given("tangential_damping")    ? numbers["tangential_damping"]
                                               : drive.normal_damping * drive.law->damping_ratio(ratio);
}

void read_parameters(const toml::table& document, Problems& problems, ContactDrive& drive) {
  const std::vector<ContactParameter> rows = contact_parameters(*drive.law);
  Parameters given;
  read_part(parameter_section(rows), document, no_dimension, given, problems,
            listing_speller({{"parameters", fmt::format("law {} (dem help {})", drive.law.name(), drive.law.name())}}));
  drive.clip_tension = drive.law->clips_tension;
  for (const ContactParameter& p : rows) {
    const auto value = given.find(p.name);
    if (value == given.end()) continue;
    if (p.option)
      p.option->set(drive.law.data(), value->second);
    else if (p.name == "damp_while_sliding")
      drive.flags.damp_while_sliding = std::get<bool>(value->second);
    else if (p.name == "clip_tension")
      drive.clip_tension = std::get<bool>(value->second);
    else if (p.name == "transport")
      for (const auto& word : case_file::words_of(Transport{}))
        if (word.name == std::get<std::string>(value->second)) drive.transport = word.value;
  }
  const Numbers numbers(given, problems);
  drive.normal_stiffness = numbers["normal_stiffness"];
  drive.tangential_stiffness = numbers["tangential_stiffness"];
  drive.friction = numbers["friction"];
  double ratio = drive.normal_stiffness > 0 ? drive.tangential_stiffness / drive.normal_stiffness : 0;
  if (drive.law->hertzian) {
    read_hertz(numbers, rows, drive);
    ratio = 1 / drive.hertz.ratio;
  }
  read_damping(numbers, ratio, drive);
}

/// Checks of the law on its options. The law also looks at `time_step` of [path].
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

void read_start(const PathDraft& path, ContactDrive& drive, Problems& problems) {
  const auto refuse = [&](const char* key, std::string_view found, std::string_view allowed) {
    problems.add(fmt::format("path.{}", key), found, allowed);
  };
  drive.time_step = path.time_step;
  drive.start_overlap = path.start_overlap;
  if (path.start_overlap > drive.largest_overlap)
    refuse("start_overlap", fmt::format("{}", path.start_overlap),
           range_text("number", Range{-largest_shift, drive.largest_overlap}));
  if (path.start_normal.size() == 3) {
    const Vec3 normal{path.start_normal[0], path.start_normal[1], path.start_normal[2]};
    const double length = norm(normal);
    if (!(std::abs(length - 1) <= unit_tolerance))
      return refuse("start_normal", fmt::format("a vector of length {}", length),
                    "a vector of unit length (within 1e-6)");
    drive.start_normal = (1 / length) * normal;
  }
  const std::vector<double>& force = path.start_force;
  if (force.empty() || problems.has("path.start_force")) return;
  drive.start_force = {force[0], force[1], drive.global ? force[2] : 0};
  const double size = norm(drive.start_force);
  if (size == 0) return;
  if (!drive.law->start)
    return problems.refuse("path.start_force", "",
                           fmt::format("zero: one force does not define the history of law {}", drive.law.name()));
  if (!carries_force(drive.law))
    return problems.refuse("path.start_force", "", "zero without history = \"true\": the first row would forget it");
  if (!(drive.start_overlap > 0))
    return problems.refuse("path.start_force", "", "zero unless start_overlap > 0: bodies apart have no force");
  if (drive.global && path.start_normal.empty()) return;
  const double along = dot(drive.start_force, drive.start_normal);
  if (std::abs(along) > unit_tolerance * size)
    return refuse("start_force", fmt::format("{} N along start_normal", along),
                  "a tangential force, square to start_normal (within 1e-6)");
  drive.start_force -= along * drive.start_normal;
}

/// Reads the rows into a drive whose frame is known, and appends their errors.
using ReadRows = std::function<void(const fs::path& file, ContactDrive&, std::vector<std::string>& errors)>;

ContactDrive read_drive(std::string_view text, const std::string& name, const Section<PathDraft>& path_keys,
                        const ReadRows& read_rows) {
  const toml::table document = parse_toml(text, name);
  Problems problems(name);
  if (is_of_other_kind(document, FileKind::contact_drive, problems)) throw CaseErrors(problems.messages());
  ContactDrive drive;
  RootDraft root;
  PathDraft path;
  const Speller speller = listing_speller({{"", "a drive"}, {"path", "[path]"}});
  read_part(root_section(), document, no_dimension, root, problems, speller);
  refuse_unknown(document, {"format", "title", "law", "parameters", "path"}, problems, speller);
  read_part(path_keys, document, no_dimension, path, problems, speller);
  const bool law_known = laws::find(root.law) != nullptr;
  const bool frame_known = problems.is_given("path.frame") && !problems.has("path.frame");
  drive.global = path.frame == Frame::global;
  if (law_known) {
    drive.law = root.law;
    read_parameters(document, problems, drive);
    if (frame_known) {
      read_start(path, drive, problems);
      check_law(document, drive, problems);
      if (!drive.global && drive.transport != Transport::exact)
        problems.refuse("parameters.transport", "", "\"exact\" with frame = \"contact\": its rows turn nothing");
    }
  }
  std::vector<std::string> errors = problems.messages(), in_path;
  if (frame_known) read_rows(path.file, drive, in_path);
  errors.insert(errors.end(), in_path.begin(), in_path.end());
  if (!errors.empty()) throw CaseErrors(errors);
  return drive;
}

}  // namespace

ContactDrive read_contact_drive(const fs::path& file) {
  static const Section<PathDraft> path_keys = path_section(true);
  const auto rows = [&](const fs::path& table, ContactDrive& drive, std::vector<std::string>& errors) {
    if (!table.empty()) contact_path::read_rows((file.parent_path() / table).lexically_normal(), drive, errors);
  };
  return read_drive(read_toml_file(file), file.string(), path_keys, rows);
}

ContactDrive parse_contact_drive(std::string_view text, const std::string& name, std::span<const double> numbers,
                                 std::size_t rows_in_path) {
  static const Section<PathDraft> path_keys = path_section(false);
  const auto rows = [&](const fs::path&, ContactDrive& drive, std::vector<std::string>& errors) {
    const std::size_t paths = numbers.size() / (drive.global ? 13 : 3) / rows_in_path;
    const auto place = [&](std::size_t row) {
      return paths > 1 ? fmt::format("path[{}, {}]", row / rows_in_path, row % rows_in_path)
                       : fmt::format("path[{}]", row);
    };
    contact_path::add_rows(numbers, rows_in_path, place, drive, errors);
  };
  return read_drive(text, name, path_keys, rows);
}

std::string contact_drive_table(const ContactDrive& drive, const std::vector<DriveState>& states) {
  std::string text = drive.global ? "step,normal_force,tangential_x,tangential_y,tangential_z"
                                  : "step,normal_force,tangential_1,tangential_2";
  text += ",regime,stored_normal,stored_tangential,work_tangential,dissipated\n";
  const auto add = [&](double x) { text += fmt::format(",{:.17g}", x + 0.0); };  // no negative zero
  for (std::size_t k = 0; k < states.size(); ++k) {
    const DriveState& s = states[k];
    text += fmt::format("{}", k);
    for (const double x : {s.normal_force, s.tangential.x, s.tangential.y}) add(x);
    if (drive.global) add(s.tangential.z);
    text += fmt::format(",{}", name_of(s.regime));
    for (const double x : {s.stored_normal, s.stored_tangential, s.work, s.dissipated}) add(x);
    text += '\n';
  }
  return text;
}

std::string traction_table(const ContactDrive& drive, const std::vector<DriveState>& states,
                           std::span<const std::size_t> rows) {
  if (!drive.law->keeps_jaeger_history) {
    std::string names;
    for (const laws::LawEntry& law : laws::catalogue())
      if (law.keeps_jaeger_history) names += fmt::format("{}\"{}\"", names.empty() ? "" : " and ", law.name);
    throw CaseErrors(
        {fmt::format("--tractions: found law = \"{}\", allowed {}: only their histories say where on the contact area "
                     "the force acts",
                     drive.law.name(), names)});
  }
  for (const std::size_t row : rows)
    if (row >= states.size())
      throw CaseErrors({fmt::format("--tractions: found row {}, allowed 0 (the start) to {}", row, states.size() - 1)});
  if (std::ranges::all_of(rows, [&](std::size_t row) { return states[row].legs.empty(); }))
    throw CaseErrors(
        {fmt::format("--tractions: found row {} without a contact, allowed rows in which there is one", rows.front())});
  laws::JaegerCoefficients coefficients;
  static_cast<laws::Hertz&>(coefficients) = drive.hertz;
  coefficients.friction = drive.friction;
  std::string text =
      drive.global ? "step,radius,pressure,shear_x,shear_y,shear_z\n" : "step,radius,pressure,shear_1,shear_2\n";
  for (const std::size_t row : rows) {
    const DriveState& s = states[row];
    const laws::JaegerTractions tractions(coefficients, s.legs);
    const auto add = [&](double radius) {
      const auto shear = tractions.shear(radius);
      const Vec3 v = drive.global ? shear.x * s.direction_1 + shear.y * s.direction_2 : Vec3{shear.x, shear.y, 0};
      text += fmt::format("{},{:.17g},{:.17g},{:.17g},{:.17g}", row, radius, tractions.pressure(radius), v.x + 0.0,
                          v.y + 0.0);
      text += drive.global ? fmt::format(",{:.17g}\n", v.z + 0.0) : "\n";
    };
    // Each ring has its own points, denser towards its outer edge, where the tractions have a square root.
    const std::size_t rings = s.legs.size(), points = std::clamp<std::size_t>(rings == 0 ? 0 : 400 / rings, 4, 100);
    double inner = 0;
    for (std::size_t k = 0; k < rings; ++k) {
      const double outer = tractions.ring_radius(k);
      for (std::size_t n = 0; n < points; ++n)
        add(inner + (outer - inner) * std::sin(0.5 * std::numbers::pi * double(n) / double(points)));
      inner = outer;
    }
    if (rings > 0) add(inner);
  }
  return text;
}

}  // namespace dem
