// dem import: what an assembly from a file is like, and a case that starts from it.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <memory>

#include "apps/command_line.hpp"
#include "apps/subcommands.hpp"
#include "geometry/printable.hpp"
#include "libdem/files/case_file.hpp"
#include "libdem/files/case_value.hpp"
#include "libdem/files/import_assembly.hpp"
#include "libdem/files/text_file.hpp"
#include "libdem/simulation_setup.hpp"
#include "libdem/state/assembly.hpp"

namespace dem {
namespace {

struct ImportOptions {
  std::string file, to;
  std::vector<double> cell;
  double scale = 1, pressure = 0, friction = 0.5, stiffness_ratio = 1, density = 2650;
  bool overwrite = false;
};

/// In metres, with the cell that the command line gives.
ImportedAssembly read_scaled(const ImportOptions& o) {
  ImportedAssembly assembly = read_assembly_file(o.file);
  if (!o.cell.empty()) {
    if (int(o.cell.size()) != assembly.dimension())
      throw ContentError(fmt::format("--cell: found {} edges, allowed {} for {}", o.cell.size(), assembly.dimension(),
                                     assembly.dimension() == 2 ? "discs" : "spheres"));
    if (assembly.cell) throw ContentError(fmt::format("--cell: found it beside the cell of {}, allowed only for a table without one", o.file));
    assembly.cell = {Vec3{o.cell[0], 0, 0}, Vec3{0, o.cell[1], 0}, Vec3{0, 0, o.cell.size() == 3 ? o.cell[2] : 1}};
  }
  for (auto& particle : assembly.particles) {
    particle.radius *= o.scale;
    particle.position = o.scale * particle.position;
  }
  if (assembly.cell)
    for (Vec3& edge : *assembly.cell) edge = o.scale * edge;
  return assembly;
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
  for (const auto& p : assembly.particles) least = std::min(least, p.radius), most = std::max(most, p.radius), sum += p.radius;
  fmt::print("  {:<20}{:.6g}, {:.6g}, {:.6g} m (smallest, mean, largest)\n", clusters ? "scaling radius" : "radius", least,
             sum / double(s.particles), most);
  fmt::print("  D                   {:.6g} m (2 x radius at half of the solid {})\n", s.median_diameter, dimension == 2 ? "area" : "volume");
  if (assembly.cell) fmt::print("  void ratio          {:.6f} (porosity {:.6f})\n", s.void_ratio(), s.porosity());
  fmt::print("  contacts            {} between {} touching pairs\n", s.contacts, s.touching_pairs);
  if (s.coincident > 0)
    fmt::print("  coincident          {} of the contacts: their spheres have centres at one point, so that no force can part them; a run refuses such a start\n", s.coincident);
  fmt::print("  coordination        {:.3f} by contacts, {:.3f} by pairs (2 x number / particles)\n", s.coordination(), s.pair_coordination());
  if (s.pairs_by_contacts.size() > 1) {
    fmt::print("  contacts of a pair ");
    for (std::size_t k = 0; k < s.pairs_by_contacts.size(); ++k) fmt::print(" {}: {}{}", k + 1, s.pairs_by_contacts[k], k + 1 < s.pairs_by_contacts.size() ? "," : "");
    fmt::print("\n");
  }
  fmt::print("  without contact     {} particles\n", s.without_contact);
  fmt::print("  overlap / D         mean {:.3g}, median {:.3g}, largest {:.3g}\n", s.mean_overlap, s.median_overlap, s.largest_overlap);
  if (!assembly.cell) return;
  fmt::print("  mean stress / k_n   {:.6g}{} (compression positive; linear normal forces)\n", stress, dimension == 2 ? "" : " 1/m");
  fmt::print("  deviator / mean     {:.3g}\n", deviator_norm(s.stress_over_stiffness, dimension) / stress);
  fmt::print("  out of balance      {:.3g} (rms resultant of the normal forces alone / mean contact force)\n", s.unbalanced);
}

/// A case that relaxes the assembly at the pressure. `step`: time step (s).
std::string case_text(const ImportOptions& o, const ImportedAssembly& assembly, double stress, double step) {
  namespace fs = std::filesystem;
  const int dimension = assembly.dimension();
  const fs::path folder = fs::absolute(o.to).parent_path();
  const std::string file = fs::absolute(o.file).lexically_normal().lexically_relative(folder.lexically_normal()).string();
  const std::string name = printable(fs::path(o.file).filename().string());
  std::string text = fmt::format("# Made by dem import from {}: the assembly as it is, to be relaxed at a pressure of {:g} {}.\n", name, o.pressure,
                                 dimension == 2 ? "N/m" : "Pa");
  text += fmt::format("format = 1\n{}title = {}\n", dimension == 3 ? "dimension = 3\n" : "",
                      case_file::encode(fmt::format("{} relaxed at {:g} {}", name, o.pressure, dimension == 2 ? "N/m" : "Pa")));
  if (!o.cell.empty()) {
    text += "\n[cell]\nsize = [";
    for (std::size_t k = 0; k < o.cell.size(); ++k) text += fmt::format("{}{}", k ? ", " : "", o.scale * o.cell[k]);
    text += "]\n";
  }
  text += fmt::format("\n[assembly]\ngenerator = \"import\"\nfile = {}\nscale = {}\n", case_file::encode(file), o.scale);
  text += fmt::format("\n[material]\ndensity = {}\n# Pressure over the mean stress at k_n = 1, {:.6g}{}.\nnormal_stiffness = {:.9g}\n", o.density, stress,
                      dimension == 2 ? "" : " 1/m", o.pressure / stress);
  text += fmt::format("tangential_stiffness_ratio = {}\nfriction = {}\nrestitution = 0.8\ntangential_damping_ratio = 0.1\n", o.stiffness_ratio, o.friction);
  text += fmt::format("\n[time]\nstep = {:.2g}\n", step);
  text += fmt::format("\n[[stage]]\nname = \"relax\"\nmean_pressure = {}\nunbalanced = 1e-3\nduration = {:.2g}  # at most\n", o.pressure, 20000 * step);
  return text;
}

void write_case(const ImportOptions& o, const ImportedAssembly& assembly, const PackingSummary& summary, double stress) {
  if (std::error_code ignored; std::filesystem::exists(o.to, ignored) && !o.overwrite) throw FileError(fmt::format("{} exists; choose another name, or overwrite it (--overwrite)", o.to));
  if (!assembly.cell) throw ContentError(fmt::format("{} has no cell, and a case needs one: give its edges with --cell", o.file));
  if (!(stress > 0)) throw ContentError(fmt::format("{}: no particles touch, so that no stiffness gives the pressure; compress them with a case of your own", o.file));
  if (summary.coincident > 0) throw ContentError(fmt::format("{}: found {} contacts of spheres with centres at one point, allowed none: a run cannot start so; move or remove one of each", o.file, summary.coincident));
  // The step: 80 % of the limit of this assembly, as dem check tells it.
  const Case trial = parse_case(case_text(o, assembly, stress, 1), o.to);
  const double step = 0.8 * apriori_limit_of(trial, build_assembly(trial)).dt;
  write_file(o.to, case_text(o, assembly, stress, step));
  fmt::print("\n{}: k_n = {:.6g} N/m for {:g} {}, time step {:.2g} s\nNext: dem check {}\n", o.to, o.pressure / stress, o.pressure,
             assembly.dimension() == 2 ? "N/m" : "Pa", step, o.to);
}

}  // namespace

void add_import(CLI::App& app, int&) {
  auto o = std::make_shared<ImportOptions>();
  auto* command = app.add_subcommand("import", "Read an assembly from a file of another program, say what it is like, and write a case that starts from it");
  command->add_option("FILE", o->file, "Start file of DEMPLA, or a table `x y z r` (spheres) or `x y r` (discs), with blanks, tabs, commas or semicolons; .gz is read too")->check(named)->required();
  auto* to = command->add_option("--to", o->to, "Case file to write")->check(named);
  auto* pressure = command->add_option("--pressure", o->pressure, "Mean pressure of the assembly as it is (Pa; discs N/m): chooses k_n")->check(positive_number());
  to->needs(pressure);
  command->add_option("--scale", o->scale, "Metres per unit of the file")->check(positive_number())->capture_default_str();
  command->add_option("--cell", o->cell, "Edges of the periodic cell of a table, in the unit of the file: two for discs, three for spheres")->expected(2, 3)->delimiter(',')->option_text("X Y [Z]")->check(positive_number());
  command->add_option("--friction", o->friction, "Of the case")->check(number_not_negative())->capture_default_str();
  command->add_option("--stiffness-ratio", o->stiffness_ratio, "k_t/k_n of the case")->check(number_not_negative())->capture_default_str();
  command->add_option("--density", o->density, "Of the case (kg/m3; discs kg/m2)")->check(positive_number())->capture_default_str();
  command->add_flag("--overwrite", o->overwrite, "Replace the case file");
  command->footer(
      "Contacts are overlaps of spheres of different particles. In a table '#' starts a comment. A header line tells another order of its\n"
      "columns x, y, z, r. The first line of numbers may be the edges of the periodic cell, one number less than the others. Shapes of DEMPLA that are read: discs, spheres, sphere clusters.\n\n"
      "Example:\n  dem import ../shared/data/dempla/Dsphere_1800 --to spheres.toml --pressure 1e5");
  command->callback([o] {
    const ImportedAssembly assembly = read_scaled(*o);
    const PackingSummary summary = summarize_packing(packing_of(assembly));
    const double stress = mean_pressure(summary.stress_over_stiffness, assembly.dimension());
    print_summary(*o, assembly, summary, stress);
    if (!o->to.empty()) write_case(*o, assembly, summary, stress);
  });
}

}  // namespace dem
