// What each key alone cannot tell: keys that exclude or need each other, and combinations that make no sense.
#include <fmt/core.h>

#include "libdem/files/case_resolve.hpp"
#include "libdem/files/case_value.hpp"

namespace dem::case_file {
namespace {

/// `key` has no effect here: refused unless it says what it would anyway.
template <class V>
void refuse_idle(Problems& problems, const std::string& key, const V& value, const V& idle, std::string_view reason) {
  if (!(value == idle)) problems.add(key, encode(value), fmt::format("{} only: {}", encode(idle), reason));
}

/// Exactly one of two keys of a table.
void exactly_one(Problems& problems, const std::string& table, const std::string& a, const std::string& b) {
  const bool has_a = problems.is_given(table + "." + a), has_b = problems.is_given(table + "." + b);
  if (has_a && has_b) problems.add(table + "." + b, "it beside " + a, fmt::format("one of {} and {}", a, b));
  if (!has_a && !has_b) problems.add(table + "." + a, fmt::format("neither {} nor {}", a, b), "exactly one of them");
}

/// Vectors of a case in the plane have two components.
void check_plane_vectors(const CaseDraft& draft, Problems& problems) {
  const auto flat = [&](const std::string& key, const Vec3& v) {
    if (v.z != 0) problems.add(key, encode(v), "two numbers [x, y] for bodies in the plane");
  };
  flat("gravity", draft.root.gravity);
  flat("cell.origin", draft.cell.origin.value_or(Vec3{}));
  flat("cell.size", draft.cell.size.value_or(Vec3{}));
  for (std::size_t k = 0; k < draft.bodies.size(); ++k) {
    const std::string path = fmt::format("body[{}].", k + 1);
    flat(path + "position", draft.bodies[k].own_position.value_or(Vec3{}));
    flat(path + "velocity", draft.bodies[k].velocity);
    flat(path + "force", draft.bodies[k].force);
  }
}

void check_material(const CaseDraft& draft, Problems& problems) {
  exactly_one(problems, "material", "restitution", "normal_damping");
  exactly_one(problems, "material", "tangential_stiffness", "tangential_stiffness_ratio");
  if (problems.is_given("material.tangential_damping") && problems.is_given("material.tangential_damping_ratio"))
    problems.add("material.tangential_damping_ratio", "it beside tangential_damping", "one of the two");
  const bool no_spring = (problems.is_given("material.tangential_stiffness") && draft.material.own_tangential_stiffness == 0.0) ||
                         (problems.is_given("material.tangential_stiffness_ratio") && draft.material.stiffness_ratio == 0.0);
  if (no_spring && draft.material.tangential_damping.value_or(0) > 0)
    problems.add("material.tangential_damping", encode(*draft.material.tangential_damping),
                 "0 without a tangential stiffness: the Coulomb limit acts on the spring, a dashpot alone would have none");
}

void check_shapes(const CaseDraft& draft, const std::filesystem::path& directory, Problems& problems) {
  const ShapeKind shape = shape_of(draft);
  const auto& a = draft.assembly;
  if (a.generator == Generator::bodies && draft.bodies.empty() && !problems.has("assembly.generator"))
    problems.add("assembly", "no bodies", "a generator, or at least one [[body]]: an empty packing cannot be run");
  const bool rows_are_plates = draft.plates && draft.plates->own_from_rows.value_or(a.generator == Generator::voronoi);
  const int rows = a.generator == Generator::voronoi ? a.voronoi.rows : a.lattice.rows;
  if ((a.generator == Generator::voronoi || a.generator == Generator::lattice) && rows_are_plates && rows < 3)
    problems.add("assembly.rows", encode(rows),
                 "at least 3: the first and the last row are the plates, and no free body would be left");
  if (a.generator == Generator::grains && problems.is_given("assembly.file") &&
      !std::filesystem::is_regular_file(directory / a.grains.file))
    problems.add("assembly.file", encode(a.grains.file) + ", which is not there",
                 "an existing file, relative to the case file");

  for (std::size_t k = 0; k < draft.bodies.size(); ++k) {
    const auto& body = draft.bodies[k];
    const std::string path = fmt::format("body[{}]", k + 1);
    if (!problems.is_given(path + ".shape")) continue;
    const bool disc = body.how == BodyShape::disc;
    if (body.group == "wall")
      problems.add(path + ".group", encode(body.group), "another word: walls are half-planes, listed as [[wall]]");
    if (disc != (shape == ShapeKind::disc))
      problems.add(path + ".shape", encode(body.how),
                   fmt::format("{}: discs and polygons cannot be mixed in one case", disc ? "a polygon" : "\"disc\""));
    if (body.how != BodyShape::polygon && !problems.is_given(path + ".position"))
      problems.add(path + ".position", "nothing", "two numbers [x, y]: only a polygon's vertices tell where it is");
    if (body.how == BodyShape::polygon && body.outline.size() >= 3) try {
        geometry::check_simple(body.outline);
      } catch (const geometry::GeometryError& error) {
        problems.add(path + ".vertices", fmt::format("an outline that cannot be used ({})", error.what()),
                     "a simple polygon with an area");
      }
  }
  for (std::size_t k = 0; k < draft.walls.size(); ++k)
    if (const std::string path = fmt::format("wall[{}].to", k + 1);
        problems.is_given(path) && draft.walls[k].from == draft.walls[k].to)
      problems.add(path, encode(draft.walls[k].to), "a point other than `from`");
}

void check_contact(const CaseDraft& draft, Problems& problems) {
  const auto& c = draft.contact;
  const ContactDraft idle;
  const bool discs = shape_of(draft) == ShapeKind::disc;
  const bool geometric = c.elongation == Elongation::geometric;
  const std::string_view for_polygons = "the bodies are discs, and the key is for polygons";

  if (geometric) {
    refuse_idle(problems, "contact.velocity_source", c.velocity_source, idle.velocity_source,
                "the elongation is geometric and uses no velocity");
    if (discs && c.geometric_form == GeometricForm::centroid_displacement)
      problems.add("contact.geometric_form", encode(c.geometric_form), "\"exact\", \"eq10-11-literal\" for discs");
    if (!discs && c.geometric_form == GeometricForm::eq10_11_literal)
      problems.add("contact.geometric_form", encode(c.geometric_form),
                   "\"exact\", \"centroid-displacement\" for polygons: Eqs. 10-11 are for discs");
  } else {
    refuse_idle(problems, "contact.geometric_form", c.geometric_form, idle.geometric_form,
                "the elongation is velocity");
    refuse_idle(problems, "contact.arc_correction", c.arc_correction, idle.arc_correction,
                "the elongation is velocity");
  }
  if (c.lever) {
    if (*c.lever == Lever::conjugate && (!discs || !geometric || c.geometric_form != GeometricForm::exact))
      problems.add(
          "contact.lever", encode(c.lever),
          "another one: the conjugate lever is the virtual work of elongation = \"geometric\", geometric_form = "
          "\"exact\" on discs");
    if (!discs && (*c.lever == Lever::proportional || *c.lever == Lever::radius))
      problems.add("contact.lever", encode(c.lever),
                   "\"contact-point\" for polygons: the others are made of the radii of discs");
  }
  if (discs) {
    refuse_idle(problems, "contact.contact_plane", c.plane, idle.plane, for_polygons);
    refuse_idle(problems, "contact.length", c.length, idle.length, for_polygons);
    refuse_idle(problems, "contact.geometry", c.geometry, idle.geometry, for_polygons);
    refuse_idle(problems, "contact.arc_correction", c.arc_correction, idle.arc_correction, "discs always use the arc");
    if (c.own_normal_force && *c.own_normal_force != NormalForce::overlap)
      problems.add("contact.normal_force", encode(c.own_normal_force),
                   "\"overlap\" for discs: they have no overlap area");
  } else if (c.own_normal_force == NormalForce::overlap) {
    problems.add("contact.normal_force", encode(c.own_normal_force),
                 "\"area-over-length\", \"area-potential\" for polygons: only discs have an overlap depth");
  }
  if (c.own_normal_force != NormalForce::area_potential)
    refuse_idle(problems, "contact.potential_exponent", c.potential_exponent, idle.potential_exponent,
                "only normal_force = \"area-potential\" has an exponent");
  else if (!discs && c.plane != geometry::ContactPlane::area_gradient)
    problems.add("contact.contact_plane", encode(c.plane),
                 "\"area-gradient\" with normal_force = \"area-potential\": the force is the gradient of the area");
  if (draft.time.integrator != Integrator::gear5)
    refuse_idle(problems, "time.gear_coefficients", draft.time.gear_coefficients, TimeChoice{}.gear_coefficients,
                "the integrator is not gear5");
}

void check_cell(const CaseDraft& draft, Problems& problems) {
  for (std::size_t k = 0; k < draft.walls.size(); ++k) {
    // A wall has no images: where it is not parallel to a periodic direction, bodies would pass it one cell further on.
    const Vec2 along = draft.walls[k].to - draft.walls[k].from;
    const Case c = resolve(draft, {});
    if ((c.periodic[0] && along.y != 0) || (c.periodic[1] && along.x != 0))
      problems.add(fmt::format("wall[{}].to", k + 1), encode(draft.walls[k].to), "a wall parallel to every periodic direction of the cell");
  }
  if (draft.cell.periodic) {
    const Case c = resolve(draft, {});
    if ((c.periodic[0] && c.cell_size.x <= 0) || (c.periodic[1] && c.cell_size.y <= 0))
      problems.add("cell.size", draft.cell.size ? encode(*draft.cell.size) : "nothing",
                   "a size > 0 in each periodic direction");
    if (draft.plates && c.periodic[1])
      problems.add("cell.periodic", encode(*draft.cell.periodic), "[\"x\"] with [plates]: the plates close y");
  }
  if (!draft.plates) return;
  const bool has_rows =
      draft.assembly.generator == Generator::voronoi || draft.assembly.generator == Generator::lattice;
  if (draft.plates->own_from_rows.value_or(false) && !has_rows)
    problems.add("plates.from_rows", "true",
                 "false unless assembly.generator = \"voronoi\" or \"lattice\": only they have rows");
}

void check_stages(const CaseDraft& draft, Problems& problems) {
  bool plates_missed = false;  // said once
  const auto need_plates = [&](const std::string& key, const std::string& found) {
    if (draft.plates || plates_missed) return;
    plates_missed = true;
    problems.add(key, found + " without plates",
                 "only with them: add a [plates] table (may be empty): with voronoi the first and last row become the plates");
  };
  if (draft.stages.empty()) problems.add("stage", "none", "at least one [[stage]]: it says how long the run is");
  for (std::size_t k = 0; k < draft.stages.size(); ++k) {
    const Stage& stage = draft.stages[k];
    const std::string path = fmt::format("stage[{}]", k + 1);
    const auto given = [&](const char* key) { return problems.is_given(path + "." + key); };
    if (stage.normal != PlateNormal::hold_height) need_plates(path + ".normal", encode(stage.normal));
    if (stage.shear_rate != 0) need_plates(path + ".shear_rate", encode(stage.shear_rate));
    if (given("strain") && stage.shear_rate == 0 && !problems.has(path + ".shear_rate"))
      problems.add(path + ".strain", stage.strain ? encode(*stage.strain) : "a strain",
                   "a stage with shear_rate other than 0");
    if (given("cycles") != given("strain_amplitude"))
      problems.add(path + (given("cycles") ? ".cycles" : ".strain_amplitude"), given("cycles") ? "it without strain_amplitude" : "it without cycles",
                   "both or neither");
    if (given("cycles") && stage.shear_rate == 0 && !problems.has(path + ".shear_rate"))
      problems.add(path + ".cycles", stage.cycles ? encode(*stage.cycles) : "cycles", "a stage with shear_rate other than 0");
    if (given("cycles") && given("strain"))
      problems.add(path + ".strain", "it beside cycles", "one of the two: the strain of cycles turns back");
    if (!given("duration") && !given("strain") && !given("quiet") && !given("cycles") && !stage.until_target)
      problems.add(path, "no end", "at least one of duration, strain, until_target, quiet, cycles");
  }
}

}  // namespace

void check_combinations(const CaseDraft& draft, const std::filesystem::path& directory, Problems& problems) {
  check_plane_vectors(draft, problems);
  check_material(draft, problems);
  check_shapes(draft, directory, problems);
  check_contact(draft, problems);
  check_cell(draft, problems);
  check_stages(draft, problems);
}

}  // namespace dem::case_file
