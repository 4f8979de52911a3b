// Keys that exclude or need each other, and combinations that make no sense.
#include <fmt/core.h>

#include <algorithm>

#include "geometry/printable.hpp"
#include "libdem/case/schema.hpp"
#include "libdem/drivers/plates.hpp"

namespace dem::case_file {
namespace {

/// `key` has no effect here: refused unless it says what it would anyway.
template <class V>
void refuse_idle(Problems& problems, const std::string& key, const V& value, const V& idle, std::string_view reason) {
  if (!(value == idle)) problems.refuse(key, fmt::format("{} only: {}", encode(idle), reason));
}

/// Vectors of a case in the plane have two components, and nothing happens along z.
void check_plane(const CaseDraft& draft, Problems& problems) {
  const auto flat = [&](const std::string& key, const Vec3& v) {
    if (v.z != 0) problems.refuse(key, "two numbers [x, y] for bodies in the plane");
  };
  flat("gravity", draft.gravity);
  flat("cell.origin", draft.own_origin.value_or(Vec3{}));
  flat("cell.size", draft.own_size.value_or(Vec3{}));
  if (draft.cell_tilt.y != 0 || draft.cell_tilt.z != 0)
    problems.refuse("cell.tilt", "[xy, 0, 0] for bodies in the plane");
  if (draft.generator == Generator::rain)
    problems.refuse("assembly.generator", "another one with dimension = 2: rain is made of spheres");
  const auto has_z = [](const std::vector<std::string>& words) { return std::ranges::find(words, "z") != words.end(); };
  if (draft.own_periodic && has_z(*draft.own_periodic))
    problems.refuse("cell.periodic", "a list, empty or of \"x\", \"y\", with dimension = 2");
  for_each_entry(draft.assembly.walls, "wall", [&](const WallSpec& wall, const std::string& path) {
    flat(path + ".velocity", wall.velocity);
    if (problems.is_given(path + ".to") && !problems.has(path + ".shape") && wall.from == wall.to)
      problems.refuse(path + ".to", "a point other than `from`");
  });
  for_each_entry(draft.own_bodies, "body", [&](const BodyDraft& body, const std::string& path) {
    flat(path + ".position", body.own_position.value_or(Vec3{}));
    flat(path + ".velocity", body.velocity);
    flat(path + ".force", body.force);
    if (has_z(body.fixed))
      problems.refuse(path + ".fixed", "a list, empty or of \"x\", \"y\", \"rotation\", with dimension = 2");
  });
}

void check_space(const CaseDraft& draft, Problems& problems) {
  for_each_entry(draft.assembly.walls, "wall", [&](const WallSpec& wall, const std::string& path) {
    if (wall.shape == WallShape::plane && problems.is_given(path + ".normal") && wall.normal == Vec3{})
      problems.refuse(path + ".normal", "a vector other than zero");
    const auto is_read = [&](const char* key) { return problems.is_given(path + key) && !problems.has(path + key); };
    if (wall.shape == WallShape::rectangle && is_read(".edge_1") && is_read(".edge_2") &&
        !(std::abs(dot(wall.edge_1, wall.edge_2)) <= 1e-9 * norm(wall.edge_1) * norm(wall.edge_2) &&
          norm(wall.edge_1) > 0 && norm(wall.edge_2) > 0))
      problems.refuse(path + ".edge_2", "an edge perpendicular to edge_1, both longer than 0");
  });
  const Generator generator = draft.generator;
  if (generator == Generator::voronoi || generator == Generator::grains || generator == Generator::lattice)
    problems.refuse(
        "assembly.generator",
        "\"bodies\", \"random\", \"rain\", \"import\" with dimension = 3: the others make bodies in the plane");
}

bool is_shape_of(ShapeKind shape, int dimension) { return is_solid(shape) == (dimension == 3); }

std::string shapes_of(int dimension) {
  return dimension == 3 ? "\"sphere\", \"cluster\" with dimension = 3"
                        : "discs and polygons with dimension = 2: spheres and clusters need dimension = 3";
}

/// Each distribution of sizes has what it needs, and nothing that it ignores.
void check_sizes(const SizeDistribution& r, Problems& problems) {
  const auto refuse_idle_key = [&, idle = SizeDistribution()](const char* key, auto member, std::string_view reason) {
    refuse_idle(problems, fmt::format("assembly.{}", key), r.*member, idle.*member, reason);
  };
  using S = SizeDistribution;
  const bool grades = r.distribution == "grades", power = r.distribution == "power-law",
             uniform = r.distribution == "uniform";
  const bool by_mass = r.distribution == "log-normal-by-mass";
  if (grades && (r.grade_radii.empty() || r.grade_radii.size() != r.grade_shares.size()))
    problems.add("assembly.grade_radii",
                 fmt::format("{} radii and {} shares", r.grade_radii.size(), r.grade_shares.size()),
                 "at least one grade, as many grade_radii as grade_shares");
  if (power && !(r.smallest > 0 && r.largest > r.smallest))
    problems.add("assembly.smallest", fmt::format("{} to {}", r.smallest, r.largest),
                 "0 < smallest < largest for a power law");
  if (r.distribution == "log-normal" && r.largest > 0 && !(r.largest > r.smallest))
    problems.refuse("assembly.largest", "more than smallest, or 0 for no bound");
  if (uniform && !(r.spread < r.radius)) problems.refuse("assembly.spread", "less than radius: a body needs a size");
  if (by_mass) {
    for (const char* key : {"assembly.median_diameter", "assembly.uniformity"})
      if (!problems.is_given(key))
        problems.add(key, "nothing", "a number (required with distribution = \"log-normal-by-mass\")");
  } else {
    refuse_idle_key("median_diameter", &S::median_diameter, "only distribution = \"log-normal-by-mass\" has it");
    refuse_idle_key("uniformity", &S::uniformity, "only distribution = \"log-normal-by-mass\" has it");
    refuse_idle_key("cut", &S::cut, "only distribution = \"log-normal-by-mass\" is cut so");
  }
  if (!power) refuse_idle_key("exponent", &S::exponent, "only distribution = \"power-law\" has an exponent");
  if (!grades) {
    refuse_idle_key("grade_radii", &S::grade_radii, "only distribution = \"grades\" has grades");
    refuse_idle_key("grade_shares", &S::grade_shares, "only distribution = \"grades\" has grades");
  }
  if (uniform || grades || by_mass) {
    refuse_idle_key("smallest", &S::smallest, "the distribution has its bounds");
    refuse_idle_key("largest", &S::largest, "the distribution has its bounds");
  }
  if (power || grades || by_mass) {
    refuse_idle_key("radius", &S::radius, "the distribution has its own radii");
    refuse_idle_key("spread", &S::spread, "the distribution has its own radii");
  }
}

void check_random(const RandomSpec& r, int dimension, Problems& problems) {
  const RandomSpec idle;
  if (problems.is_given("assembly.shape") && !is_shape_of(r.shape, dimension))
    problems.refuse("assembly.shape", shapes_of(dimension));
  check_sizes(r, problems);
  if (r.shape != ShapeKind::polygon) {
    refuse_idle(problems, "assembly.sides", r.sides, idle.sides, "only polygons have sides");
    refuse_idle(problems, "assembly.elongation", r.elongation, idle.elongation, "only polygons are stretched");
  }
  if (r.shape == ShapeKind::cluster && r.cluster.empty() && !problems.has("assembly.spheres"))
    problems.add("assembly.spheres", "nothing", "at least one sphere [[x, y, z, r], …] for shape = \"cluster\"");
  if (r.shape != ShapeKind::cluster && !r.cluster.empty())
    problems.add("assembly.spheres", "a list",
                 "only with shape = \"cluster\": no other body is made of spheres; remove this key, or set that shape");
}

/// Checks that need no drawn size. The generator does the others.
void check_rain(const RainSpec& r, Problems& problems) {
  check_sizes(r, problems);
  const auto room =
      std::uint64_t(std::max(r.columns, 0)) * std::uint64_t(std::max(r.rows, 0)) * std::uint64_t(std::max(r.layers, 0));
  if (r.layers == 0 && r.count == 0)
    problems.add("assembly.layers", "neither layers nor count", "at least one of them");
  else if (r.layers > 0 && r.count > room && room > 0)
    problems.refuse("assembly.count", fmt::format("at most {}, all places of the layers", room));
}

void check_shapes(const CaseDraft& draft, const std::filesystem::path& directory, Problems& problems) {
  const ShapeKind shape = shape_of(draft);
  const auto& a = draft.assembly;
  if (draft.generator == Generator::bodies && draft.own_bodies.empty() && !problems.has("assembly.generator"))
    problems.add("assembly", "no bodies", "a generator, or at least one [[body]]: an empty packing cannot be run");
  const PlatesSpec* plates = draft.driver_options<PlatesSpec>();
  const auto* voronoi = a.made_by<geometry::VoronoiInput>();
  const auto* lattice = a.made_by<LatticeSpec>();
  const int rows = voronoi ? voronoi->rows : lattice ? lattice->rows : 3;
  if (plates && plates->from_rows && rows < 3)
    problems.refuse("assembly.rows",
                    "at least 3: the first and the last row are the plates, and no free body would be left");
  const auto check_file = [&](const std::string& key, const std::filesystem::path& file) {
    std::error_code ignored;
    if (problems.is_given(key) && !std::filesystem::is_regular_file(directory / file, ignored))
      problems.add(key, printable(encode(file)) + ", which is not there",
                   "an existing file, relative to the case file");
  };
  if (const auto* file = a.file()) check_file("assembly.file", *file);
  for_each_entry(a.walls, "wall",
                 [&](const WallSpec& wall, const std::string& path) { check_file(path + ".file", wall.file); });
  if (const auto* random = a.made_by<RandomSpec>()) check_random(*random, draft.dimension, problems);
  if (const auto* rain = a.made_by<RainSpec>(); rain && draft.dimension == 3) check_rain(*rain, problems);

  for_each_entry(draft.own_bodies, "body", [&](const BodyDraft& body, const std::string& path) {
    if (!problems.is_given(path + ".shape")) return;
    const ShapeKind kind = kind_of(body.how);
    if (!is_shape_of(kind, draft.dimension)) return problems.refuse(path + ".shape", shapes_of(draft.dimension));
    const bool disc = kind == ShapeKind::disc;
    if (body.group == "wall")
      problems.refuse(path + ".group", "another word: walls are half-planes, listed as [[wall]]");
    if (!is_solid(kind) && disc != (shape == ShapeKind::disc))
      problems.refuse(path + ".shape", fmt::format("{}: discs and polygons cannot be mixed in one case",
                                                   disc ? "a polygon" : "\"disc\""));
    if (body.how != BodyShape::polygon && !problems.is_given(path + ".position"))
      problems.add(path + ".position", "nothing",
                   draft.dimension == 3 ? "three numbers [x, y, z]"
                                        : "two numbers [x, y]: only a polygon's vertices tell where it is");
    if (body.how == BodyShape::polygon && body.outline.size() >= 3) try {
        geometry::check_simple(body.outline);
      } catch (const geometry::GeometryError& error) {
        problems.add(path + ".vertices", fmt::format("an outline that cannot be used ({})", error.what()),
                     "a simple polygon with an area");
      }
  });
}

void check_law(const CaseDraft& draft, Problems& problems) {
  const ContactChoice& c = draft.contact;
  const laws::Setting setting{.friction = draft.material.friction,
                              .damp_while_sliding = c.damp_while_sliding,
                              .time_step = 1,
                              .table = "contact."};
  c.law->check(c.law.data(), setting, [&](std::string_view key, std::string_view allowed) {
    const auto& section = contact_section();
    const std::string value = section.find(key)->write(c, draft.dimension);
    problems.refuse(fmt::format("contact.{}", key), value == "nan" ? "nothing" : value, allowed);
  });
}

void check_contact(const CaseDraft& draft, Problems& problems) {
  const auto& c = draft.contact;
  using C = ContactChoice;
  const auto refuse_idle_key = [&, idle = ContactChoice()](const char* key, auto member, std::string_view reason) {
    refuse_idle(problems, fmt::format("contact.{}", key), c.*member, idle.*member, reason);
  };
  const bool discs = shape_of(draft) == ShapeKind::disc;
  const bool geometric = c.elongation == Elongation::geometric;
  if (draft.time.integrator != Integrator::gear5)
    refuse_idle(problems, "time.gear_coefficients", draft.time.gear_coefficients, TimeChoice{}.gear_coefficients,
                "the integrator is not gear5");
  check_law(draft, problems);
  const laws::LawEntry& law = *c.law;
  if (!law.hertzian && !draft.material.characteristic_speed)
    refuse_idle_key("dissimilar_materials", &C::dissimilar_materials, "only Hertzian laws have elastic constants");
  else if (draft.material.hertz_normal_stiffness)
    refuse_idle_key("dissimilar_materials", &C::dissimilar_materials,
                    "hertz_normal_stiffness holds for all contacts; remove this key");
  else if (draft.own_materials.empty())
    refuse_idle_key("dissimilar_materials", &C::dissimilar_materials,
                    "there is no [[other_material]]; add one, or remove this key");
  if (law.hertzian && draft.dimension == 2)
    problems.refuse("contact.law", "a law of springs with dimension = 2: Hertz contacts are for spheres and clusters");
  if (geometric)
    refuse_idle_key("velocity_source", &C::velocity_source, "the elongation is geometric and uses no velocity");
  if (draft.dimension == 3) {
    if (!law.transform && c.transport != Transport::exact && c.transport != Transport::swing_twist)
      problems.refuse(
          "contact.transport",
          fmt::format("\"exact\", \"swing-twist\" with law = \"{}\": its history is more than one vector", law.name));
    if (law.transform && !law.along_normal && c.transport == Transport::none)
      problems.refuse(
          "contact.transport",
          fmt::format("another one with law = \"{}\": the force left along the normal has no spring", law.name));
    if (c.lever && *c.lever != Lever::contact_point && *c.lever != Lever::radius)
      problems.refuse("contact.lever", "\"contact-point\", \"radius\" for spheres and clusters");
    return;  // the rest is on discs and polygons
  }
  if (!draft.output.ledger)
    problems.add("output.ledger", "false", "true with dimension = 2: there the ledger is always kept");
  if (shape_of(draft) != ShapeKind::polygon && draft.output.plane_jumps)
    problems.add("output.plane_jumps", "true",
                 "false for discs: the plane of their contact is the tangent, there is nothing to choose");
  const std::string_view for_polygons = "the bodies are discs, and the key is for polygons";

  if (geometric) {
    if (discs && c.geometric_form == GeometricForm::centroid_displacement)
      problems.refuse("contact.geometric_form", "\"exact\", \"eq10-11-literal\" for discs");
    if (!discs && c.geometric_form == GeometricForm::eq10_11_literal)
      problems.refuse("contact.geometric_form",
                      "\"exact\", \"centroid-displacement\" for polygons: Eqs. 10-11 are for discs");
  } else {
    refuse_idle_key("geometric_form", &C::geometric_form, "the elongation is velocity");
    refuse_idle_key("arc_correction", &C::arc_correction, "the elongation is velocity");
  }
  if (c.lever) {
    if (*c.lever == Lever::conjugate && (!discs || !geometric || c.geometric_form != GeometricForm::exact))
      problems.refuse(
          "contact.lever",
          "another one: the conjugate lever is the virtual work of elongation = \"geometric\", geometric_form = "
          "\"exact\" on discs");
    if (!discs && (*c.lever == Lever::proportional || *c.lever == Lever::radius))
      problems.refuse("contact.lever", "\"contact-point\" for polygons: the others are made of the radii of discs");
  }
  if (discs) {
    refuse_idle_key("contact_plane", &C::plane, for_polygons);
    refuse_idle_key("length", &C::length, for_polygons);
    refuse_idle_key("geometry", &C::geometry, for_polygons);
    refuse_idle_key("arc_correction", &C::arc_correction, "discs always use the arc");
    if (c.normal_force != NormalForce::overlap)
      problems.refuse("contact.normal_force", "\"overlap\" for discs: they have no overlap area");
  } else if (c.normal_force == NormalForce::overlap) {
    problems.refuse("contact.normal_force",
                    "\"area-over-length\", \"area-potential\" for polygons: only discs have an overlap depth");
  }
  if (c.normal_force != NormalForce::area_potential)
    refuse_idle_key("potential_exponent", &C::potential_exponent,
                    "only normal_force = \"area-potential\" has an exponent");
  else if (!discs && c.plane != geometry::ContactPlane::area_gradient)
    problems.refuse("contact.contact_plane",
                    "\"area-gradient\" with normal_force = \"area-potential\": the force is the gradient of the area");
}

/// A size or a place of the cell that nothing reads. A resolved case has the values of the generator.
void check_idle_cell(const CaseDraft& draft, const Case& c, const std::filesystem::path& directory,
                     Problems& problems) {
  if (!draft.own_size && !draft.own_origin) return;
  const bool periodic = c.periodic[0] || c.periodic[1] || c.periodic[2], of_file = c.assembly.made_by<ImportSpec>();
  if (periodic && !(of_file && c.cell_size == Vec3{})) return;
  // A random packing fills the cell, and plates are as wide as it is.
  if (c.assembly.made_by<RandomSpec>() || draft.driver_options<PlatesSpec>()) return;
  CaseDraft bare = draft;
  bare.own_size.reset();
  bare.own_origin.reset();
  const Case usual = resolve(bare, directory);
  const std::string_view why =
      periodic ? "only with cell.size: without a size the cell is that of the file; set the size, or remove this key"
               : "only with cell.periodic: no direction is periodic, so nothing reads this key; name directions, or "
                 "remove it";
  if (c.cell_size != usual.cell_size) problems.refuse("cell.size", why);
  if (c.cell_origin != usual.cell_origin) problems.refuse("cell.origin", why);
}

void check_cell(const CaseDraft& draft, const Case& c, Problems& problems) {
  for_each_entry(draft.assembly.walls, "wall", [&](const WallSpec& wall, const std::string& path) {
    // A wall has no images: where it is not parallel to a periodic direction, bodies would pass it one cell further on.
    const Vec2 along = wall.to - wall.from;
    if (draft.dimension == 2 && ((c.periodic[0] && along.y != 0) || (c.periodic[1] && along.x != 0)))
      problems.refuse(path + ".to", "a wall parallel to every periodic direction of the cell");
  });
  const auto& tilt = draft.cell_tilt;
  if (!problems.has("cell.tilt") &&
      ((tilt.x != 0 && !c.periodic[1]) || ((tilt.y != 0 || tilt.z != 0) && !c.periodic[2])))
    problems.refuse("cell.tilt", "0 where the leaning cell vector is not of a periodic direction");
  // These two generators know the size of the cell, unless the case gives it.
  const bool own_size = draft.assembly.made_by<RandomSpec>() || draft.assembly.made_by<ImportSpec>();
  if (own_size && draft.own_size.value_or(Vec3{}) != Vec3{}) {
    const Vec3 size = *draft.own_size;
    const bool deep = draft.dimension == 2 || size.z > 0;
    if (!(size.x > 0 && size.y > 0 && deep)) problems.refuse("cell.size", "a size > 0 in every direction");
  }
  if (draft.own_periodic && !own_size &&
      ((c.periodic[0] && c.cell_size.x <= 0) || (c.periodic[1] && c.cell_size.y <= 0) ||
       (c.periodic[2] && c.cell_size.z <= 0)))
    problems.refuse("cell.size", "nothing", "a size > 0 in each periodic direction");
}

}  // namespace

void check_combinations(const CaseDraft& draft, const std::filesystem::path& directory, Problems& problems) {
  if (draft.dimension == 3)
    check_space(draft, problems);
  else
    check_plane(draft, problems);
  check_material(draft, problems);
  check_materials(draft, problems);
  check_shapes(draft, directory, problems);
  check_contact(draft, problems);
  const Case resolved = resolve(draft, directory);
  check_cell(draft, resolved, problems);
  check_idle_cell(draft, resolved, directory, problems);
  for (const DriverChoice& driver : resolved.drivers)
    if (driver.entry->check) driver.entry->check(driver.options.get(), resolved, problems);
  check_stages(draft, resolved, problems);
  check_names(draft, problems);
  check_bounds(draft, resolved, problems);
}

}  // namespace dem::case_file
