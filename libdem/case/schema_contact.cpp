// Rows of the schema: materials and contacts. Sources: Peña, Lind, Herrmann, "Modeling slow deformation of polygonal
// particles using DEM", with sections of the polygon-dem reference. These are §1 forces and damping, §2 Gear, §3 and §4
// elongation, §6 contact plane and normal force, §8 the shear cell. Kuhn, Suzuki, Daouadji, "Linear-frictional contact
// model for 3D discrete element simulations of granular systems", with the linear-frictional reference.
#include "libdem/case/of_laws.hpp"
#include "libdem/case/ranges.hpp"
#include "libdem/case/schema.hpp"

namespace dem::case_file {

const Section<CaseDraft>& material_section() {
  using T = CaseDraft;
  using M = Material;
  const auto material = rows_in<T>(&T::material);
  static const Section<T> section{
      "material",
      "Coefficients of bodies and contacts, per unit thickness in the plane. Give exactly one of restitution, "
      "normal_damping and normal_damping_rate, and exactly one of tangential_stiffness and tangential_stiffness_ratio. "
      "Hertzian laws, and hooke-history with characteristic_speed, take shear_modulus and poisson_ratio instead of "
      "stiffnesses. hertz-history also takes hertz_normal_stiffness and hertz_tangential_stiffness.",
      {material("density", &M::density, "kg/m²", within::density,
                "Mass per area (in space: per volume) of bodies that state none.")
           .unit_of_space("kg/m³"),
       field<T>("normal_stiffness", &T::own_normal_stiffness, "N/m", within::stiffness,
                "k_n of the normal force: k_n A/l_c for polygons, k_n δ for discs and spheres (Peña, Lind, "
                "Herrmann, Eq. 2).")
           .by_default("required; none with a Hertzian law or characteristic_speed"),
       field<T>("tangential_stiffness", &T::own_tangential_stiffness, "N/m", or_zero(within::stiffness),
                "k_t of the tangential force −k_t ξ (Cundall and Strack).")
           .by_default("from tangential_stiffness_ratio"),
       field<T>("tangential_stiffness_ratio", &T::own_stiffness_ratio, "", or_zero(within::stiffness_ratio),
                "k_t/k_n, instead of tangential_stiffness.")
           .by_default("from tangential_stiffness; 1 with characteristic_speed"),
       material("shear_modulus", &M::shear_modulus, "Pa", within::modulus,
                "G of the bodies' material, with a Hertzian law (jaeger, hertz-mindlin, hertz-history) or "
                "characteristic_speed.")
           .by_default("required with a Hertzian law or characteristic_speed, else none")
           .in_space(),
       material("poisson_ratio", &M::poisson_ratio, "", within::poisson_ratio,
                "ν of the bodies' material, like shear_modulus.")
           .by_default("required with a Hertzian law or characteristic_speed, else none")
           .in_space(),
       material("hertz_normal_stiffness", &M::hertz_normal_stiffness, "Pa", within::modulus,
                "Law hertz-history: k_n of F_n = √(R̄ δ) k_n δ (Fleischmann et al. 2016, Eq. 1), instead of "
                "shear_modulus and poisson_ratio, which give 4 E*/3. The same for all materials.")
           .by_default("none: from shear_modulus and poisson_ratio")
           .in_space(),
       material("hertz_tangential_stiffness", &M::hertz_tangential_stiffness, "Pa", or_zero(within::modulus),
                "Law hertz-history: k_t of F_t = √(R̄ δ) k_t u, beside hertz_normal_stiffness; 8 G* of a material.")
           .by_default("required with hertz_normal_stiffness, else none")
           .in_space(),
       material("characteristic_speed", &M::characteristic_speed, "m/s", within::speed,
                "v_c, law hooke-history: a pair that collides at v_c reaches the overlap of a Hertz contact. k_n is "
                "κ (m̄ v_c²/κ)^(1/5), κ = (16/15) √R̄ E*, and k_t is tangential_stiffness_ratio k_n, 1 or e.g. 2/7.")
           .by_default("none: normal_stiffness is given")
           .in_space(),
       material("friction", &M::friction, "", within::friction, "Coulomb coefficient μ: |f_t| ≤ μ f_n.").require(),
       material("restitution", &M::restitution, "", Range{0, 1, true, false},
                "Normal restitution ε_n of a free pair; γ_n follows from its reduced mass (Peña, Lind, Herrmann, "
                "Eqs. 5-7; Hertzian laws: and from the stiffness of the moment, Tsuji, Tanaka, Ishida 1992).")
           .by_default("none: normal_damping or normal_damping_rate is given"),
       material("normal_damping", &M::normal_damping, "kg/s", within::damping, "γ_n of the normal force −γ_n v_n.")
           .by_default("none: restitution or normal_damping_rate is given"),
       material("normal_damping_rate", &M::normal_damping_rate, "1/s; 1/(m s) with a Hertzian law", within::damping,
                "γ_n of the normal force −γ_n m̄ v_n, m̄ the reduced mass; Hertzian laws: −√(R̄ δ) γ_n m̄ v_n "
                "(Fleischmann et al. 2016, Eq. 1).")
           .by_default("none: restitution or normal_damping is given"),
       field<T>("tangential_damping_rate", &T::own_tangential_damping_rate, "1/s; 1/(m s) with a Hertzian law",
                within::damping,
                "γ_t of the same form, beside a normal_damping_rate > 0. A resolved case has "
                "tangential_damping_ratio instead.")
           .by_default("none: from tangential_damping_ratio"),
       material("tangential_damping", &M::tangential_damping, "kg/s", within::damping,
                "γ_t of the tangential force −γ_t v_t, instead of tangential_damping_ratio.")
           .by_default("none: from tangential_damping_ratio"),
       field<T>("tangential_damping_ratio", &T::own_tangential_damping_ratio, "", within::damping_ratio,
                "γ_t/γ_n; the ratio of the stiffnesses reproduces the published ε_t/ε_n (Peña, Lind, Herrmann).")
           .by_default("k_t/k_n; its square root with law hooke-history or hertz-history"),
       material("rotational_damping", &M::rotational_damping, "N m s", within::damping,
                "Couple per relative spin of a contact, against rocking; not in the published model."),
       material("mass_damping", &M::mass_damping, "1/s", within::mass_damping,
                "α of a force −α m v and a couple −α I ω on every free body, v relative to the mean motion of the "
                "cell; for quasi-static loading.")
           .if_unusual()}};
  return section;
}

const Section<OtherMaterialDraft>& other_material_section() {
  using T = OtherMaterialDraft;
  static const Section<T> section{
      "other_material",
      "A material beside [material], which bodies choose by its name (body.material). Damping is that of [material]: "
      "the coefficients of restitution and the ratios hold for all. Repeat [[other_material]] for each.",
      {field<T>("name", &T::name, "", {}, "Name in body.material and material_pair.").require(),
       field<T>("density", &T::density, "kg/m²", within::density,
                "Mass per area (in space: per volume) of bodies of this material.")
           .unit_of_space("kg/m³")
           .by_default("material.density"),
       field<T>("normal_stiffness", &T::normal_stiffness, "N/m", within::stiffness,
                "k_n of a contact of two bodies of this material.")
           .by_default("material.normal_stiffness"),
       field<T>("tangential_stiffness", &T::tangential_stiffness, "N/m", or_zero(within::stiffness),
                "k_t of a contact of two bodies of this material.")
           .by_default("normal_stiffness times k_t/k_n of [material]"),
       field<T>("shear_modulus", &T::shear_modulus, "Pa", within::modulus, "G, with a Hertzian law.")
           .by_default("material.shear_modulus")
           .in_space(),
       field<T>("poisson_ratio", &T::poisson_ratio, "", within::poisson_ratio, "ν, with a Hertzian law.")
           .by_default("material.poisson_ratio")
           .in_space(),
       field<T>("friction", &T::friction, "", within::friction, "μ of a contact of two bodies of this material.")
           .by_default("material.friction")}};
  return section;
}

const Section<MaterialPair>& material_pair_section() {
  using T = MaterialPair;
  static const Section<T> section{
      "material_pair",
      "Contacts between two materials. By default the springs are two in series of twice each material's stiffness, k "
      "= 2 k_a k_b/(k_a + k_b), and the friction is the smaller one. Repeat [[material_pair]] for each.",
      {field<T>("first", &T::first, "", {}, "Name of one material.").by_default("that of [material]"),
       field<T>("second", &T::second, "", {}, "Name of the other.").by_default("that of [material]"),
       field<T>("normal_stiffness", &T::normal_stiffness, "N/m", within::stiffness, "k_n between the two.")
           .by_default("2 k_a k_b/(k_a + k_b)"),
       field<T>("tangential_stiffness", &T::tangential_stiffness, "N/m", or_zero(within::stiffness),
                "k_t between the two.")
           .by_default("2 k_a k_b/(k_a + k_b)"),
       field<T>("friction", &T::friction, "", within::friction, "μ between the two.").by_default("the smaller one")}};
  return section;
}

const Section<ContactChoice>& contact_section() {
  using T = ContactChoice;
  static OfLaws<Section<T>> section([] {
    Section<T> all{
        "contact",
        "How overlap and movement of two bodies become a force.",
        {field<T>(
             "elongation", &T::elongation, "", {},
             "Tangential elongation: from the geometry alone (independent of Δt) or from velocity · Δt (Cundall)."),
         field<T>("velocity_source", &T::velocity_source, "", {},
                  "Velocity in v_t Δt, with elongation = velocity (Peña, Lind, Herrmann, Eq. 4)."),
         field<T>("geometric_form", &T::geometric_form, "", {},
                  "Form of the geometric elongation; the literal readings are wrong and for comparison only.")
             .in_plane(),
         field<T>("arc_correction", &T::arc_correction, "", {},
                  "Arc instead of chord in the elongation of polygons; discs always use the arc.")
             .in_plane(),
         field<T>("lever", &T::lever, "", {},
                  "Where the tangential force acts; between spheres at the contact point, or for comparison at radius.")
             .by_default("conjugate for discs with geometric elongation, else contact-point"),
         field<T>("contact_plane", &T::plane, "", {},
                  "Contact plane of polygons from the overlap's shape; edge-mean is the published one (Peña, Lind, "
                  "Herrmann, Eq. 13).")
             .in_plane(),
         field<T>("normal_force", &T::normal_force, "", {},
                  "Normal force: k_n δ for discs. For polygons the published k_n A/l_c, or an area potential, which "
                  "conserves energy.")
             .in_plane()
             .by_default("overlap for discs, area-over-length for polygons"),
         field<T>("potential_exponent", &T::potential_exponent, "", Range{1, 10, true, false},
                  "m of the potential Φ ∝ A^m, with normal_force = area-potential.")
             .in_plane(),
         field<T>("length", &T::length, "", {},
                  "r in the characteristic length l_c = r_i + r_j of polygons of area A; 2π is the printed form "
                  "(Peña, Lind, Herrmann).")
             .in_plane(),
         field<T>("fixed_mass", &T::fixed_mass, "", {},
                  "Mass of a fixed body in the reduced mass of the damping: its material mass or infinite."),
         field<T>("clip_tension", &T::clip_tension, "", {},
                  "No attraction at the end of a damped contact. Then a pair keeps more than its restitution: 0.55 "
                  "of ε_n = 0.5.")
             .by_default("true for law linear-refined, else false"),
         field<T>(
             "transport", &T::transport, "", {},
             "How the stored tangential force follows a contact that turns (Kuhn, Suzuki, Daouadji; "
             "linear-frictional reference, §3). With another history than \"true\" it carries nothing. projection is "
             "the published way and loses length as cos of each "
             "turn. projection-rescaled keeps the length. swing-twist and exact also follow the twist of the pair.")
             .in_space(),
         field<T>("dissimilar_materials", &T::dissimilar_materials, "", {},
                  "Hertzian laws: contacts of bodies with different elastic constants.")
             .if_unusual()
             .in_space(),
         field<T>("damp_while_sliding", &T::damp_while_sliding, "", {},
                  "Tangential damping also at the Coulomb limit."),
         field<T>("geometry", &T::geometry, "", {},
                  "Overlap of polygons in filtered doubles (fast) or CGAL's exact numbers (exact).")
             .in_plane()}};
    add_laws(all, "dissimilar_materials");
    return all;
  });
  return section.get();
}

}  // namespace dem::case_file
