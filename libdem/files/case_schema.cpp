// Rows of the schema: the case as a whole, material, contact, time, output. Peña, Lind, Herrmann: "Modeling slow
// deformation of polygonal particles using DEM"; what the sections of the polygon-dem reference say of it is noted where it matters:
// §1 forces and damping, §2 Gear, §3 and §4 elongation, §6 contact plane and normal force, §8 the shear cell.
#include "libdem/files/case_schema.hpp"

#include "libdem/laws/catalogue.hpp"

namespace dem::case_file {

std::vector<std::string_view> law_names() {
  std::vector<std::string_view> names;
  for (const auto& law : laws::catalogue()) names.push_back(law.name);
  return names;
}

const Section<RootDraft>& root_section() {
  using T = RootDraft;
  static const Section<T> section{
      "",
      "The case as a whole. These keys come before the first table.",
      {
          field<T>("format", &T::format, "", Range{case_format, case_format},
                   "Format of the case file; another one is refused.")
              .require(),
          field<T>("title", &T::title, "", {}, "What the case is, for people."),
          field<T>("gravity", &T::gravity, "m/s²", {}, "Acceleration of every free body."),
          field<T>(
              "skin", &T::skin, "m", not_negative,
              "Verlet skin of the neighbour list; changes speed, never results. 0: 0.1 of the mean bounding radius."),
          field<T>("threads", &T::threads, "", Range{1, 1024}, "Threads of the run; changes speed, never results."),
      },
      ""};
  return section;
}

const Section<CellDraft>& cell_section() {
  using T = CellDraft;
  static const Section<T> section{
      "cell",
      "The space the bodies are in.",
      {
          field<T>("periodic", &T::periodic, "", std::vector<std::string_view>{"x", "y"},
                   "Directions that close on themselves.")
              .by_default("[\"x\"] for a voronoi or lattice assembly between plates, else []"),
          field<T>("origin", &T::origin, "m", {}, "Lower left corner of the cell.")
              .by_default("[0, 0]; voronoi: one row below 0"),
          field<T>("size", &T::size, "m", not_negative,
                   "Width and height of the cell; used in periodic directions, and as the width of plates.")
              .by_default("that of the rows and columns for voronoi and lattice, else [0, 0]"),
      },
      ""};
  return section;
}

const Section<MaterialDraft>& material_section() {
  using T = MaterialDraft;
  static const Section<T> section{
      "material",
      "Coefficients of bodies and contacts, per unit thickness. Exactly one of restitution and normal_damping, and "
      "exactly "
      "one of tangential_stiffness and tangential_stiffness_ratio, is given.",
      {
          field<T>("density", &T::density, "kg/m²", positive, "Mass per area of bodies that state none."),
          field<T>("normal_stiffness", &T::normal_stiffness, "N/m", positive,
                   "k_n of the normal force: k_n A/l_c for polygons, k_n δ for discs (Peña, Lind, Herrmann, Eq. 2).")
              .require(),
          field<T>("tangential_stiffness", &T::own_tangential_stiffness, "N/m", not_negative,
                   "k_t of the tangential force −k_t ξ (Cundall and Strack).")
              .by_default("from tangential_stiffness_ratio"),
          field<T>("tangential_stiffness_ratio", &T::stiffness_ratio, "", not_negative,
                   "k_t/k_n, instead of tangential_stiffness.")
              .by_default("from tangential_stiffness"),
          field<T>("friction", &T::friction, "", not_negative, "Coulomb coefficient μ: |f_t| ≤ μ f_n.").require(),
          field<T>("restitution", &T::restitution, "", Range{0, 1, true, false},
                   "Normal restitution ε_n of a free pair; γ_n follows from its reduced mass (Peña, Lind, Herrmann, Eqs. 5-7).")
              .by_default("none: normal_damping is given"),
          field<T>("normal_damping", &T::normal_damping, "kg/s", not_negative, "γ_n of the normal force −γ_n v_n.")
              .by_default("none: restitution is given"),
          field<T>("tangential_damping", &T::tangential_damping, "kg/s", not_negative,
                   "γ_t of the tangential force −γ_t v_t, instead of tangential_damping_ratio.")
              .by_default("none: from tangential_damping_ratio"),
          field<T>("tangential_damping_ratio", &T::own_tangential_damping_ratio, "", not_negative,
                   "γ_t/γ_n; the ratio of the stiffnesses reproduces the published ε_t/ε_n (Peña, Lind, Herrmann).")
              .by_default("k_t/k_n"),
          field<T>("rotational_damping", &T::rotational_damping, "N m s", not_negative,
                   "Couple per relative spin of a contact, against rocking; not in the published model."),
      },
      ""};
  return section;
}

const Section<ContactDraft>& contact_section() {
  using T = ContactDraft;
  static const Section<T> section{
      "contact",
      "How overlap and movement of two bodies become a force.",
      {
          field<T>("law", &T::law, "", law_names(),
                   "Force law: linear is Cundall and Strack's, trial and radial return."),
          field<T>("elongation", &T::elongation, "", {},
                   "Tangential elongation: from the geometry alone (independent of Δt) or from velocity · Δt "
                   "(Cundall)."),
          field<T>("velocity_source", &T::velocity_source, "", {},
                   "Velocity in v_t Δt, with elongation = velocity (Peña, Lind, Herrmann, Eq. 4)."),
          field<T>("geometric_form", &T::geometric_form, "", {},
                   "Form of the geometric elongation; the literal readings are wrong and for comparison only."),
          field<T>("arc_correction", &T::arc_correction, "", {},
                   "Arc instead of chord in the elongation of polygons; discs always use the arc."),
          field<T>("lever", &T::lever, "", {}, "Where the tangential force acts.")
              .by_default("conjugate for discs with geometric elongation, else contact-point"),
          field<T>(
              "contact_plane", &T::plane, "", {},
              "Contact plane of polygons from the overlap's shape; edge-mean is the published one (Peña, Lind, Herrmann, Eq. 13)."),
          field<T>("normal_force", &T::own_normal_force, "", {},
                   "Normal force: overlap is k_n δ of discs; of polygons the published k_n A/l_c or an area potential, "
                   "which "
                   "conserves energy.")
              .by_default("overlap for discs, area-over-length for polygons"),
          field<T>("potential_exponent", &T::potential_exponent, "", Range{1, 10, true, false},
                   "m of the potential Φ ∝ A^m, with normal_force = area-potential."),
          field<T>("length", &T::length, "", {},
                   "r in the characteristic length l_c = r_i + r_j of polygons of area A; 2π is the printed form "
                   "(Peña, Lind, Herrmann)."),
          field<T>("fixed_mass", &T::fixed_mass, "", {},
                   "Mass of a fixed body in the reduced mass of the damping: its material mass or infinite."),
          field<T>("clip_tension", &T::clip_tension, "", {}, "No attraction at the end of a damped contact."),
          field<T>("damp_while_sliding", &T::damp_while_sliding, "", {},
                   "Tangential damping also at the Coulomb limit."),
          field<T>("geometry", &T::geometry, "", {},
                   "Overlap of polygons in filtered doubles (fast) or CGAL's exact numbers (exact)."),
      },
      ""};
  return section;
}

const Section<TimeChoice>& time_section() {
  using T = TimeChoice;
  static const Section<T> section{
      "time",
      "Integration in time.",
      {
          field<T>("integrator", &T::integrator, "", {},
                   "Gear's predictor-corrector of fifth order, or velocity Verlet."),
          field<T>("gear_coefficients", &T::gear_coefficients, "", {},
                   "c_0 = 3/16 for forces that depend on velocity, 3/20 for position only."),
          field<T>("step", &T::step, "s", positive, "Time step Δt; dem check shows the limit.").require(),
          field<T>("override_limit", &T::override_limit, "", {}, "Run although Δt exceeds its limit."),
          field<T>("limit_check_interval", &T::limit_check_interval, "s", not_negative,
                   "Time between measurements of the limit from the contact network. 0: 1000 steps."),
      },
      ""};
  return section;
}

const Section<OutputChoice>& output_section() {
  using T = OutputChoice;
  static const Section<T> section{
      "output",
      "What a run writes into its results folder.",
      {
          field<T>("series_interval", &T::series_interval, "s", not_negative,
                   "Time between rows of the series. 0: 1000 rows over the run."),
          field<T>("snapshot_interval", &T::snapshot_interval, "s", not_negative,
                   "Time between snapshots of bodies and contacts. 0: 20 over the run."),
          field<T>("frame_interval", &T::frame_interval, "s", not_negative,
                   "Time between SVG pictures. 0: 10 over the run."),
          field<T>("checkpoint_interval", &T::checkpoint_interval, "s", positive,
                   "Wall-clock time between checkpoints."),
          field<T>("colour_by", &T::colour_by, "",
                   std::vector<std::string_view>{"rotation", "speed", "spin", "coordination", "stress"},
                   "Colour of the bodies in the pictures."),
          field<T>("vtk", &T::vtk, "", {}, "Write snapshots for ParaView as well (.vtp and .pvd)."),
          field<T>("plane_jumps", &T::plane_jumps, "", {},
                   "Polygons: write every persistent jump of a contact plane, of all definitions of the plane, into plane_jumps/. "
                   "The run's own jumps are counted in any case."),
      },
      ""};
  return section;
}

}  // namespace dem::case_file
