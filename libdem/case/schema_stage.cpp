// Rows of the schema: the stages of a run.
#include <fmt/format.h>

#include "libdem/case/ranges.hpp"
#include "libdem/case/schema.hpp"
#include "libdem/drivers/stage_ends.hpp"

namespace dem::case_file {
namespace {

/// A row of an end that a stage may have.
template <class Access>
Field<StageDraft> end_row(std::string name, Access access, std::string unit, Limits limits, std::string text) {
  return field<StageDraft>(std::move(name), access, std::move(unit), std::move(limits), std::move(text))
      .by_default("no such end");
}

/// All but that of a turn, with commas.
std::string names_of_ends() {
  std::string names;
  for (const StageEnd& end : stage_ends())
    if (end.key != "turn_angle") names += (names.empty() ? "" : ", ") + std::string(end.key);
  return names;
}

/// rate_xx … rate_yz, then stress_xx … stress_yz.
std::vector<Field<StageDraft>> cell_rows() {
  using T = StageDraft;
  std::vector<Field<T>> rows;
  const auto add = [&](std::size_t k, Field<T> row) {
    if (cell_component_axes[k][1] == 2) row = std::move(row).in_space();  // zz, xz, yz
    rows.push_back(std::move(row));
  };
  for (std::size_t k = 0; k < cell_component_names.size(); ++k) {
    const std::string name = cell_component_names[k];
    const bool normal = cell_component_axes[k][0] == cell_component_axes[k][1];
    add(k, field<T>(
               "rate_" + name, [k](auto& stage) -> auto& { return stage.rate[k]; }, "1/s", within::rate,
               normal ? "Rate of strain of the periodic cell along this axis, extension positive."
                      : fmt::format("Rate of shear of the cell: ∂v_{}/∂{} of the mean motion.", name[0], name[1]))
               .by_default("0, unless the stress is given"));
  }
  for (std::size_t k = 0; k < cell_component_names.size(); ++k) {
    const std::string name = cell_component_names[k];
    add(k, field<T>(
               "stress_" + name, [k](auto& stage) -> auto& { return stage.component_stress[k]; }, "N/m", within::stress,
               "Stress of the assembly that a servo holds by straining the cell in this direction; tension positive, "
               "so that compression is negative.")
               .unit_of_space("Pa")
               .by_default("not controlled"));
  }
  return rows;
}

/// How the stage drives the cell, apart from the components.
std::vector<Field<StageDraft>> servo_rows() {
  using T = StageDraft;
  return {
      field<T>("mean_pressure", &T::mean_pressure, "N/m", within::pressure,
               "Mean pressure to hold, compression positive: the servo moves the normal directions without a rate or a "
               "stress and keeps their stresses equal.")
          .allow("number", "a number > 0, from 1e-15 to 1e+18: compression positive")
          .unit_of_space("Pa")
          .by_default("not controlled"),
      field<T>("largest_rate", &T::largest_rate, "1/s", or_zero(within::largest_rate),
               "Largest rate of a component under servo control. 0: that of the inertial number 5e-3 at the held "
               "stress, at least ten times the given rates.")
          .by_default("0"),
      field<T>("servo_tolerance", &T::servo_tolerance, "", within::tolerance,
               "Relative error of a controlled stress above which the run reports that the servo cannot hold it.")
          .by_default("0.001"),
      field<T>("turn_angle", &T::turn_angle, "rad", within::angle,
               "Turn the whole assembly with its cell by this angle, without any relative motion.")
          .by_default("no turn"),
      field<T>("turn_axis", &T::turn_axis, "", within::coordinate, "Axis of the turn, of any length.")
          .allow("[x, y, z]", "three numbers [x, y, z], each from -1e+09 to 1e+09, not all 0; in the plane [0, 0, 1]")
          .by_default("[0, 0, 1]"),
      field<T>("turn_steps", &T::turn_steps, "", within::whole_steps, "Number of equal steps of the turn.")
          .by_default("required for a turn"),
      field<T>("friction", &T::friction, "", within::friction, "μ of all contacts during this stage.")
          .by_default("that of the materials"),
      field<T>("mass_damping", &T::mass_damping, "1/s", within::mass_damping, "α during this stage.")
          .by_default("material.mass_damping"),
      field<T>("wall_velocities", &T::wall_velocities, "m/s", within::velocity,
               "Velocities of walls during this stage, by name. Contacts use them too.")
          .by_default("wall.velocity of each")};
}

/// Use of a shear box in a stage.
std::vector<Field<StageDraft>> shear_box_rows() {
  using T = StageDraft;
  return {
      field<T>("history", &T::history, "", {},
               "contact.history during this stage; where it changes, the springs start anew.")
          .by_default("contact.history"),
      field<T>("plate_stress", &T::plate_stress, "Pa", within::pressure,
               "Normal stress of the load plate of the shear box, compression positive. The first stage that has it "
               "puts the plate on the highest sphere.")
          .allow("number", "a number > 0, from 1e-15 to 1e+18: compression positive")
          .by_default("none: the plate rests where it is")
          .in_space(),
      field<T>("shear_velocity", &T::shear_velocity, "m/s", within::velocity,
               "Velocity of the lower half of the shear box along x.")
          .in_space(),
      end_row("shear_displacement", &T::shear_displacement, "m", within::length,
              "End when the lower half has moved by this during the stage.")
          .in_space()};
}

/// Ends of a stage that depend on the state of the assembly.
std::vector<Field<StageDraft>> state_ends() {
  using T = StageDraft;
  const std::vector<std::string> no_plate_moves{"hold-height"};
  return {
      field<T>("until_target", &T::until_target, "", {},
               "End when every stress that the servo of the cell controls is reached.")
          .only(no_plate_moves),
      field<T>("stress_tolerance", &T::stress_tolerance, "", within::tolerance,
               "Relative difference within which such a stress counts as reached.")
          .only(no_plate_moves),
      field<T>("stress_hold_time", &T::stress_hold_time, "s", or_zero(within::duration),
               "Time for which the stress must stay within the tolerance.")
          .only(no_plate_moves),
      end_row("unbalanced", &T::unbalanced, "", within::ratio,
              "End when the mean resultant on a body over the mean contact force (column mean_unbalanced_force) stays "
              "below "
              "this, with every controlled stress within servo_tolerance."),
      end_row("coordination", &T::coordination, "", within::ratio,
              "End when the mechanical coordination number reaches this: mean number of contacts of the free bodies "
              "that have two or more."),
      end_row("stress_ratio", &T::stress_ratio, "", within::ratio,
              "End when the ratio q/p of deviator stress to mean pressure reaches this."),
      end_row("void_ratio", &T::void_ratio, "", within::ratio,
              "End when the void ratio falls to this, or rises to this from below.")};
}

}  // namespace

const Section<StageDraft>& stage_section() {
  using T = StageDraft;
  const std::vector<std::string> height{"move-to-height"}, stress{"hold-stress"},
      moving{"move-to-height", "hold-stress"};
  static const Section<T> section = [&] {
    Section<T> all{
        "stage",
        "One part of the run, in order. It ends at the first of the ends it names: " + names_of_ends() +
            ", or after the last step of a turn.",
        {field<T>("name", &T::name, "", {}, "Name in messages and results."),
         field<T>("normal", &T::normal, "", {}, "Vertical motion of the plates.").in_plane(),
         field<T>("height", &T::height, "m", within::length, "Distance of the plates to reach.").only(height).require(),
         field<T>("normal_stress", &T::normal_stress, "N/m", within::pressure,
                  "Normal stress to hold, compression positive.")
             .only(stress)
             .require(),
         field<T>("plate_speed", &T::plate_speed, "m/s", within::speed,
                  "Vertical speed of a plate that nothing resists; under stress control it may be pushed back faster.")
             .only(moving)
             .require(),
         field<T>("shear_rate", &T::shear_rate, "1/s", within::rate,
                  "γ̇: the plates, at distance H, move at ±γ̇H/2 along x.")
             .in_plane(),
         end_row("duration", &T::duration, "s", within::duration, "End after this time."),
         end_row("strain", &T::strain, "", within::strain,
                 "End when the shear strain |γ| of the stage reaches this. Where the stage drives the cell, it is the "
                 "strain of the component with the largest given rate, or the volume strain without a given rate."),
         field<T>("cycles", &T::cycles, "", Range{1, 1e9},
                  "End after this number of closed cycles of shear strain, up by strain_amplitude, down to minus it "
                  "and back. A negative shear_rate begins downwards.")
             .in_plane()
             .by_default("no cycles"),
         field<T>("strain_amplitude", &T::strain_amplitude, "", within::strain,
                  "A of the cycles. The step that reaches a turning point is shortened to end there exactly; the "
                  "plates move at ±γ̇H₀/2 with H₀ their distance at the start of the stage.")
             .in_plane()
             .by_default("no cycles"),
         field<T>("until_target", &T::until_target, "", {}, "End when the height or the stress is reached.")
             .only(moving),
         field<T>("stress_tolerance", &T::stress_tolerance, "", within::tolerance,
                  "Relative difference within which the stress counts as reached.")
             .only(stress),
         field<T>("stress_hold_time", &T::stress_hold_time, "s", or_zero(within::duration),
                  "Time for which the stress must stay within the tolerance.")
             .only(stress),
         end_row("quiet", &T::quiet, "J", within::energy,
                 "End when the kinetic energy of the free bodies has fallen below this, having been above it.")},
        "normal"};
    for (const auto& rows : {cell_rows(), servo_rows(), shear_box_rows(), state_ends()})
      for (Field<T> row : rows) all.fields.push_back(std::move(row).if_unusual());
    return all;
  }();
  return section;
}

}  // namespace dem::case_file
