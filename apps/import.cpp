// dem import: reports on an assembly from a file, and writes a case that starts from it.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <memory>

#include "apps/command_line.hpp"
#include "apps/subcommands.hpp"
#include "geometry/error.hpp"
#include "geometry/printable.hpp"
#include "libdem/assembly/assembly.hpp"
#include "libdem/assembly/packing.hpp"
#include "libdem/assembly/start_check.hpp"
#include "libdem/case/case_file.hpp"
#include "libdem/case/ranges.hpp"
#include "libdem/case/value.hpp"
#include "libdem/platform/text_file.hpp"
#include "libdem/run/simulation_setup.hpp"

namespace dem {
namespace {

namespace within = case_file::within;

struct ImportOptions {
  std::string file, to;
  std::vector<double> cell;
  double scale = 1, pressure = 0, friction = 0.5, stiffness_ratio = 1, density = 2650;
  bool overwrite = false;
};

/// The assembly in metres, with the cell of the command line.
ImportedAssembly read_scaled(const ImportOptions& o) {
  ImportedAssembly assembly = read_assembly_file(o.file);
  if (!o.cell.empty()) {
    if (int(o.cell.size()) != assembly.dimension())
      throw ContentError(fmt::format("--cell: found {} edges, allowed {} for {}", o.cell.size(), assembly.dimension(),
                                     assembly.dimension() == 2 ? "discs" : "spheres"));
    if (assembly.cell)
      throw ContentError(
          fmt::format("--cell: found it beside the cell of {}, allowed only for a table without one", o.file));
    assembly.cell = {Vec3{o.cell[0], 0, 0}, Vec3{0, o.cell[1], 0}, Vec3{0, 0, o.cell.size() == 3 ? o.cell[2] : 1}};
  }
  const auto check = [&o](double length, const char* what) {
    if (!within::length.contains(length))
      throw ContentError(fmt::format("--scale: found {:g}, which makes {} of {:g} m; expected {} m", o.scale, what,
                                     length, case_file::range_text("length", within::length)));
  };
  for (auto& particle : assembly.particles) {
    particle.radius *= o.scale;
    check(particle.radius, "a radius");
    particle.position = o.scale * particle.position;
  }
  if (assembly.cell)
    for (Vec3& edge : *assembly.cell) edge = o.scale * edge;
  if (const auto& cell = assembly.cell)
    for (const double edge : {(*cell)[0].x, (*cell)[1].y, assembly.dimension() == 3 ? (*cell)[2].z : (*cell)[0].x})
      check(edge, "an edge of the cell");
  return assembly;
}

PackingSummary summary_of(const ImportOptions& o, const ImportedAssembly& assembly) {
  try {
    return summarize_packing(assembly);
  } catch (const geometry::GeometryError& error) {  // a narrow cell
    throw ContentError(fmt::format("{}: {}", o.cell.empty() ? o.file : "--cell", error.what()));
  }
}

/// Sentence on particles with the same centre, with the first pair, its lines and the number of pairs.
std::string coincident_text(const ImportedAssembly& assembly, const PackingSummary& s) {
  const auto [i, j] = s.coincident.front();
  const int line_i = assembly.particles[i].line, line_j = assembly.particles[j].line;
  return fmt::format("particles {} and {}{} have one centre{}: no force can part them; one of each pair must go", i + 1,
                     j + 1, line_i > 0 ? fmt::format(" (lines {} and {})", line_i, line_j) : "",
                     s.coincident.size() > 1 ? fmt::format(", the first of {} such pairs", s.coincident.size()) : "");
}

void print_summary(const ImportOptions& o, const ImportedAssembly& assembly, const PackingSummary& s, double stress) {
  const int dimension = assembly.dimension();
  const bool clusters = assembly.shape == ShapeKind::cluster;
  fmt::print("{}: {} {}", o.file, s.particles, clusters ? "clusters" : dimension == 2 ? "discs" : "spheres");
  if (clusters) fmt::print(" of {} spheres", assembly.unit_spheres.size());
  fmt::print("\n");
  if (assembly.cell) {
    const auto& [a, b, c] = *assembly.cell;
    fmt::print("  cell                {:.6g} x {:.6g}", a.x, b.y);
    if (dimension == 3) fmt::print(" x {:.6g}", c.z);
    fmt::print(" m, tilt xy {:g}", b.x);
    if (dimension == 3) fmt::print(", xz {:g}, yz {:g}", c.x, c.y);
    fmt::print("\n");
  } else {
    fmt::print("  cell                none in the file (--cell); nothing is periodic, no void ratio and no stress\n");
  }
  double least = INFINITY, most = 0, sum = 0;
  for (const auto& p : assembly.particles)
    least = std::min(least, p.radius), most = std::max(most, p.radius), sum += p.radius;
  fmt::print("  {:<20}{:.6g}, {:.6g}, {:.6g} m (smallest, mean, largest)\n", clusters ? "scaling radius" : "radius",
             least, sum / double(s.particles), most);
  fmt::print("  D                   {:.6g} m (2 x radius at half of the solid {})\n", s.median_diameter,
             dimension == 2 ? "area" : "volume");
  if (assembly.cell) fmt::print("  void ratio          {:.6f} (porosity {:.6f})\n", s.void_ratio(), s.porosity());
  fmt::print("  contacts            {} between {} touching pairs\n", s.contacts, s.touching_pairs);
  if (!s.coincident.empty())
    fmt::print("  coincident          {} of the contacts: {}\n", s.coincident.size(), coincident_text(assembly, s));
  fmt::print("  coordination        {:.3f} by contacts, {:.3f} by pairs (2 x number / particles)\n", s.coordination(),
             s.pair_coordination());
  if (s.pairs_by_contacts.size() > 1) {
    fmt::print("  contacts of a pair ");
    for (std::size_t k = 0; k < s.pairs_by_contacts.size(); ++k)
      fmt::print(" {}: {}{}", k + 1, s.pairs_by_contacts[k], k + 1 < s.pairs_by_contacts.size() ? "," : "");
    fmt::print("\n");
  }
  fmt::print("  without contact     {} particles\n", s.without_contact);
  fmt::print("  overlap / D         mean {:.3g}, median {:.3g}, largest {:.3g}\n", s.mean_overlap, s.median_overlap,
             s.largest_overlap);
  if (!assembly.cell) return;
  fmt::print("  mean stress / k_n   {:.6g}{} (compression positive; linear normal forces)\n", stress,
             dimension == 2 ? "" : " 1/m");
  if (stress != 0)
    fmt::print("  deviator / mean     {:.3g}\n", deviator_norm(s.stress_over_stiffness, dimension) / stress);
  fmt::print("  out of balance      {:.3g} (rms resultant of the normal forces alone / mean contact force)\n",
             s.unbalanced);
}

/// Two digits, rounded up.
double rounded_up(double x) {
  const double unit = std::pow(10, std::floor(std::log10(x)) - 1);
  return std::stod(fmt::format("{:.1e}", std::ceil(x / unit) * unit));
}

/// Text of a case that relaxes the assembly. `step` is in s, `overlap` is the largest at the start (diameters).
std::string case_text(const ImportOptions& o, const ImportedAssembly& assembly, double stress, double step,
                      double overlap) {
  namespace fs = std::filesystem;
  const int dimension = assembly.dimension();
  const fs::path folder = fs::absolute(o.to).parent_path();
  const std::string file =
      fs::absolute(o.file).lexically_normal().lexically_relative(folder.lexically_normal()).string();
  const std::string name = printable(fs::path(o.file).filename().string());
  std::string text =
      fmt::format("# Made by dem import from {}: the assembly as it is, to be relaxed at a pressure of {:g} {}.\n",
                  name, o.pressure, dimension == 2 ? "N/m" : "Pa");
  text += fmt::format(
      "format = 1\n{}title = {}\n", dimension == 3 ? "dimension = 3\n" : "",
      case_file::encode(fmt::format("{} relaxed at {:g} {}", name, o.pressure, dimension == 2 ? "N/m" : "Pa")));
  if (!o.cell.empty()) {
    text += "\n[cell]\nsize = [";
    for (std::size_t k = 0; k < o.cell.size(); ++k) text += fmt::format("{}{}", k ? ", " : "", o.scale * o.cell[k]);
    text += "]\n";
  }
  text +=
      fmt::format("\n[assembly]\ngenerator = \"import\"\nfile = {}\nscale = {}\n", case_file::encode(file), o.scale);
  if (overlap > Assembly{}.largest_start_overlap)
    text +=
        fmt::format("largest_start_overlap = {}  # that of the file, rounded up\n", std::min(1.0, rounded_up(overlap)));
  text += fmt::format(
      "\n[material]\ndensity = {}\n# Pressure over the mean stress at k_n = 1, {:.6g}{}.\nnormal_stiffness = {:.9g}\n",
      o.density, stress, dimension == 2 ? "" : " 1/m", o.pressure / stress);
  text +=
      fmt::format("tangential_stiffness_ratio = {}\nfriction = {}\nrestitution = 0.8\ntangential_damping_ratio = 0.1\n",
                  o.stiffness_ratio, o.friction);
  text += fmt::format("\n[time]\nstep = {:.2g}\n", step);
  text += fmt::format(
      "\n[[stage]]\nname = \"relax\"\nmean_pressure = {}\nunbalanced = 1e-3\nduration = {:.2g}  # at most\n",
      o.pressure, 20000 * step);
  return text;
}

/// Before reading: a case file must not replace the file of the assembly.
void check_target(const ImportOptions& o) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::path folder = fs::absolute(o.to).parent_path();
  if (fs::equivalent(o.file, o.to, ignored))
    throw ContentError(
        fmt::format("--to: found {}, which is the file of the assembly itself; expected another name", o.to));
  if (!fs::is_directory(folder, ignored))
    throw FileError(fmt::format("--to {}: there is no folder {}; make it, or choose another one", o.to,
                                fs::path(o.to).parent_path().string()));
  if (fs::exists(o.to, ignored) && !o.overwrite)
    throw FileError(fmt::format("{} exists; choose another name, or overwrite it (--overwrite)", o.to));
}

void write_case(const ImportOptions& o, const ImportedAssembly& assembly, const PackingSummary& summary,
                double stress) {
  if (!assembly.cell)
    throw ContentError(fmt::format("{} has no cell, and a case needs one: give its edges with --cell", o.file));
  if (!summary.coincident.empty())
    throw ContentError(fmt::format("{}: {}", o.file, coincident_text(assembly, summary)));
  if (!(stress > 0))
    throw ContentError(fmt::format(
        "{}: no particles touch, so that no stiffness gives the pressure; compress them with a case of your own",
        o.file));
  if (!within::stiffness.contains(o.pressure / stress))
    throw ContentError(fmt::format("--pressure: found {:g}, which needs k_n = {:g} N/m; expected {} N/m", o.pressure,
                                   o.pressure / stress, case_file::range_text("k_n", within::stiffness)));
  // Time step: 80 % of the limit of this assembly, as dem check reports it.
  const Case trial = parse_case(case_text(o, assembly, stress, 1, 1), o.to);
  const State state = build_assembly(trial);
  const double step = 0.8 * apriori_limit_of(trial, state).dt;
  write_file(o.to, case_text(o, assembly, stress, step, deepest_start_overlap(state).relative));
  fmt::print("\n{}: k_n = {:.6g} N/m for {:g} {}, time step {:.2g} s\nNext: dem check {}\n", o.to, o.pressure / stress,
             o.pressure, assembly.dimension() == 2 ? "N/m" : "Pa", step, o.to);
}

}  // namespace

void add_import(CLI::App& app, int&) {
  auto o = std::make_shared<ImportOptions>();
  auto* command = app.add_subcommand(
      "import", "Read an assembly from a file of another program, describe it, and write a case that starts from it");
  command
      ->add_option("FILE", o->file,
                   "Start file of DEMPLA, or a table `x y z r` (spheres) or `x y r` (discs), with blanks, tabs, commas "
                   "or semicolons; .gz is read too")
      ->check(named)
      ->required();
  auto* to = command->add_option("--to", o->to, "Case file to write")->check(named);
  auto* pressure =
      command
          ->add_option("--pressure", o->pressure, "Mean pressure of the assembly as it is (Pa; discs N/m): chooses k_n")
          ->check(number_in(within::pressure));
  to->needs(pressure);
  command->add_option("--scale", o->scale, "Metres per unit of the file")
      ->check(number_in(within::length))
      ->capture_default_str();
  command
      ->add_option("--cell", o->cell,
                   "Edges of the periodic cell of a table, in the unit of the file: two for discs, three for spheres")
      ->expected(2, 3)
      ->delimiter(',')
      ->option_text("X Y [Z]")
      ->check(number_in({.low = 0, .low_open = true}));
  pressure->needs(to);
  command->add_option("--friction", o->friction, "Of the case")
      ->check(number_in(within::friction))
      ->capture_default_str()
      ->needs(to);
  command->add_option("--stiffness-ratio", o->stiffness_ratio, "k_t/k_n of the case")
      ->check(number_in(or_zero(within::stiffness_ratio)))
      ->capture_default_str()
      ->needs(to);
  command->add_option("--density", o->density, "Of the case (kg/m3; discs kg/m2)")
      ->check(number_in(within::density))
      ->capture_default_str()
      ->needs(to);
  command->add_flag("--overwrite", o->overwrite, "Replace the case file")->needs(to);
  command->footer(
      "Contacts are overlaps of spheres of different particles. In a table '#' starts a comment. A header line may\n"
      "give another order of the columns x, y, z, r. The first line of numbers may be the edges of the periodic\n"
      "cell; it has one number less than the others. Shapes of DEMPLA that are read: discs, spheres, sphere\n"
      "clusters.\n\n"
      "Example:\n  dem import ../shared/data/dempla/Dsphere_1800 --to spheres.toml --pressure 1e5");
  command->callback([o] {
    if (!o->to.empty()) check_target(*o);
    const ImportedAssembly assembly = read_scaled(*o);
    const PackingSummary summary = summary_of(*o, assembly);
    // + 0.0: 0 instead of -0 without contacts.
    const double stress = mean_pressure(summary.stress_over_stiffness, assembly.dimension()) + 0.0;
    print_summary(*o, assembly, summary, stress);
    if (!o->to.empty()) write_case(*o, assembly, summary, stress);
  });
}

}  // namespace dem
