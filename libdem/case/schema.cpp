// Rows of the schema: the case as a whole, cell, time, output.
#include "libdem/case/schema.hpp"

#include "libdem/case/ranges.hpp"

namespace dem::case_file {

const Section<CaseDraft>& root_section() {
  using T = CaseDraft;
  static const Section<T> section{
      "",
      "The case as a whole. These keys come before the first table.",
      {field<T>("format", &T::format, "", Range{case_format, case_format},
                "Format of the case file; another one is refused.")
           .require(),
       field<T>("title", &T::title, "", {}, "What the case is, for people."),
       field<T>("dimension", &T::dimension, "", Range{2, 3},
                "2: discs and polygons in the plane, all quantities per metre of thickness; 3: spheres and rigid "
                "clusters of spheres.")
           .if_unusual(),
       field<T>("gravity", &T::gravity, "m/s²", within::acceleration, "Acceleration of every free body."),
       field<T>("skin", &T::skin, "m", or_zero(within::length),
                "Verlet skin of the neighbour list; changes speed, never results. 0: 0.1 of the mean bounding radius."),
       field<T>("spatial_order_interval", &T::spatial_order_interval, "", within::whole_steps,
                "Steps between renewals of the spatial order in which spheres are stored; changes the order of "
                "sums, so it is part of the case.")
           .in_space(),
       field<T>(
           "start_from", &T::start_from, "", {},
           "Results folder of a finished run; its path is relative to the case file. This run starts with the last "
           "state there. Assembly, walls and time step must be the same. Contacts keep their histories if the law "
           "is the same; with jaeger and hertz-mindlin also the elastic constants and `memory`, and the friction must "
           "then be that of the end, unless it is 0.")
           .by_default("none: the run starts with its own assembly")
           .if_unusual(),
       field<T>("threads", &T::threads, "", Range{1, 1024}, "Threads of the run; changes speed, never results.")}};
  return section;
}

const Section<CaseDraft>& cell_section() {
  using T = CaseDraft;
  static const Section<T> section{
      "cell",
      "The space the bodies are in.",
      {field<T>("periodic", &T::own_periodic, "", std::vector<std::string_view>{"x", "y", "z"},
                "Directions that close on themselves.")
           .by_default("[\"x\"] for a voronoi or lattice assembly between plates, all directions for random and "
                       "import, else []"),
       field<T>("origin", &T::own_origin, "m", within::coordinate, "Lower left corner of the cell.")
           .by_default("[0, 0]; voronoi: one row below 0"),
       field<T>("size", &T::own_size, "m", or_zero(within::length),
                "Width and height (in space also depth) of the cell; used in periodic directions, and as the width "
                "of plates.")
           .by_default("that of the rows and columns for voronoi and lattice; import: that of the file; random: "
                       "from void_ratio; else [0, 0]"),
       field<T>("tilt", &T::cell_tilt, "m", within::coordinate,
                "How far the second cell vector leans along x (xy) and the third along x and y (xz, yz): the cell "
                "vectors are "
                "(size_x, 0, 0), (xy, size_y, 0), (xz, yz, size_z).")
           .allow("[xy, xz, yz]", "three numbers [xy, xz, yz], each from -1e+09 to 1e+09; in the plane xz = yz = 0")
           .by_default("[0, 0, 0]")
           .if_unusual()}};
  return section;
}

namespace {
/// A number, or "auto", which a case holds as 0.
Field<TimeChoice> step_field() {
  auto row =
      field<TimeChoice>(
          "step", &TimeChoice::step, "s", within::duration,
          "Time step Δt; dem check shows the limit. \"auto\": half of the a-priori limit of the "
          "assembly, less where contact.velocity_source needs it, rounded down to two digits, or with start_from the "
          "step of that run; the resolved case has the number.")
          .require();
  row.key.type = "number or \"auto\"";
  row.key.allowed += ", or \"auto\"";
  row.read = [number = row.read](const Value& value, TimeChoice& out) {
    const auto* word = std::get_if<std::string>(&value.data);
    if (word && *word == "auto") return out.step = 0, true;
    return number(value, out);
  };
  row.write = [number = row.write](const TimeChoice& in, int dimension) {
    return in.step > 0 ? number(in, dimension) : encode(std::string("auto"));
  };
  return row;
}
}  // namespace

const Section<TimeChoice>& time_section() {
  using T = TimeChoice;
  static const Section<T> section{
      "time",
      "Integration in time.",
      {field<T>("integrator", &T::integrator, "", {}, "Gear's predictor-corrector of fifth order, or velocity Verlet."),
       field<T>("gear_coefficients", &T::gear_coefficients, "", {},
                "c_0 = 3/16 for forces that depend on velocity, 3/20 for position only."),
       step_field(), field<T>("override_limit", &T::override_limit, "", {}, "Run although Δt exceeds its limit."),
       field<T>("limit_check_interval", &T::limit_check_interval, "s", or_zero(within::duration),
                "Time between measurements of the limit from the contact network. 0: 1000 to 10 000 steps, the more "
                "the farther Δt is from it.")}};
  return section;
}

const Section<OutputChoice>& output_section() {
  using T = OutputChoice;
  static const Section<T> section{
      "output",
      "What a run writes into its results folder.",
      {field<T>("series_interval", &T::series_interval, "s", or_zero(within::duration),
                "Time between rows of the series, rounded to whole steps. 0: 1000 rows over the run, in space at "
                "least 100 steps apart."),
       field<T>(
           "snapshot_interval", &T::snapshot_interval, "s", or_zero(within::duration),
           "Time between snapshots of the bodies, and of the contacts with `contacts`. 0: few between start and end "
           "of the known time (four in the plane, one in space), later each time the run has become twice as long. "
           "The start and the end of every stage have one in any case."),
       field<T>("frame_interval", &T::frame_interval, "s", or_zero(within::duration),
                "Time between SVG pictures. 0: in the plane few, as of snapshots; in space none. With pictures, the "
                "start and the end of every stage have one."),
       field<T>("checkpoint_interval", &T::checkpoint_interval, "s", within::wall_clock,
                "Wall-clock time between checkpoints."),
       field<T>("colour_by", &T::colour_by, "",
                std::vector<std::string_view>{"rotation", "speed", "spin", "coordination", "stress"},
                "Colour of the bodies in the pictures."),
       field<T>("contacts", &T::contacts, "", {},
                "Snapshots and files for ParaView hold the contacts beside the bodies; in space they are most of "
                "what is written.")
           .by_default("true in the plane, false in space"),
       field<T>("vtk", &T::vtk, "", {}, "Write snapshots for ParaView as well (.vtp and .pvd).")
           .by_default("true in the plane, false in space"),
       field<T>("csv", &T::csv, "", {},
                "Write the series as one table, series.csv, as well, whenever the run ends or stops."),
       field<T>("ledger", &T::ledger, "", {},
                "Keep the energy ledger. In space, without it a step is faster, its columns of works are nan and "
                "the verdict says nothing of it.")
           .if_unusual(),
       field<T>("plane_jumps", &T::plane_jumps, "", {},
                "Polygons: write every persistent jump of a contact plane, of all definitions of the plane, into "
                "plane_jumps/. "
                "The run's own jumps are counted in any case.")
           .in_plane()}};
  return section;
}

}  // namespace dem::case_file
