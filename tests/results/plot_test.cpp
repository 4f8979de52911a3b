// dem plot with results folders made up here: pictures over each other, segments damaged, missing or foreign.
#include <cmath>

#include "apps/cli_tools.hpp"
#include "libdem/platform/text_file.hpp"
#include "libdem/results/folder.hpp"
#include "libdem/results/hdf5_sealed.hpp"

using namespace dem;

namespace {

namespace fs = std::filesystem;

/// A test that needs Python with the modules for plots.
struct Plotting : cli::InFolder {
  const bool possible = cli::can_plot();

  /// dem plot of the folders `runs`, with pictures in the folder `out`. The parts are in what it prints.
  cli::Result plots(int code, const std::string& runs, const cli::Parts& parts, const std::string& out = "out") const {
    const auto ran = folder.gives(code, "plot " + runs + " --output '" + out + "' 2>&1", parts);
    BOOST_TEST(!cli::has(ran.out, "Traceback"), ran.out);
    return ran;
  }
};

std::vector<Column> columns() {
  std::vector<Column> out{{"step", "1", "step"}, {"time", "s", "time"}, {"strain", "1", "shear strain"}};
  for (const char* name : {"shear_ratio", "kinetic_energy", "coordination", "sliding_fraction"})
    out.push_back({name, "1", "made up"});
  for (const char* name : {"boundary_work", "stored_normal", "stored_tangential", "friction_loss", "viscous_loss",
                           "circulation", "event_loss", "energy_residual", "absolute_work"})
    out.push_back({name, "J", "made up"});
  return out;
}

/// 200 rows of compression without strain, then 1000 of shear: two segments.
void made_up_run(const fs::path& path, double friction) {
  RunDescription description = this_build();
  description.case_text = "format = 1\n";
  ResultsFolder folder = ResultsFolder::create(path, description);
  const std::vector<double> bins{0.5, 1.5, 2.5, 3.5, 4.5};
  const std::vector<SeriesColumn> profiles{{{"velocity_x", "m/s", "mean"}, bins, "m"},
                                           {{"spin", "rad/s", "mean"}, bins, "m"}};
  folder.start_series(columns(), profiles);
  for (int k = 0; k < 1200; ++k) {
    const double strain = k < 200 ? 0 : (k - 200) * 5e-4, wave = std::sin(0.37 * k * (1 + friction));
    const double ratio = friction * (1 - std::exp(-strain / 0.03)) * (1 + 0.05 * wave);
    const double w = 40 * strain + 3 * std::min(1.0, k / 150.0);
    folder.append(std::vector<double>{1.0 * k, 0.01 * k, strain, ratio, 1e-3 * (1.2 + wave) + (k < 20 ? 5 : 0),
                                      4 - 2 * friction * strain, 0.1 + 0.05 * wave, w, 2, 1, 0.8 * w, 0.1 * w, 0.02 * w,
                                      0.01 * w, 1e-4 * w * (1.5 + wave), 2 * w + 1});
    if (k % 50 == 0) {
      std::vector<double> means;
      for (const double y : bins) means.push_back(0.01 * (y - 2.5) * (1 + 0.3 * wave));
      for (const double y : bins) means.push_back(-0.005 * (1 + 0.1 * std::cos(y + k)));
      folder.append_profiles(static_cast<std::uint64_t>(k), 0.01 * k, strain, means);
    }
  }
  folder.flush();
}

bool is_png(const fs::path& file) {
  const std::string bytes = fs::exists(file) ? read_file(file) : "";
  return bytes.starts_with("\x89PNG\r\n\x1a\n") && bytes.size() > 5000;
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(two_runs_over_each_other, Plotting) {
  if (!possible) return;
  const char* keep = std::getenv("LIBDEM_TEST_PICTURES");  // for looking at
  const fs::path pictures = keep ? fs::path(keep) : folder.path() / "out";
  made_up_run(folder.path() / "area-gradient", 0.4);
  made_up_run(folder.path() / "edge-mean", 0.3);
  const auto plotted = plots(
      0, "area-gradient edge-mean",
      {"overview.png: shear_ratio, kinetic_energy, coordination, sliding_fraction; over strain\n"}, pictures.string());
  for (const std::string name :
       {"overview", "shear_ratio", "kinetic_energy", "coordination", "sliding_fraction", "profiles", "ledger"}) {
    BOOST_TEST(is_png(pictures / (name + ".png")), name);
    plotted.prints({name + ".png: "});
  }
}

BOOST_FIXTURE_TEST_CASE(damaged_missing_and_foreign_segments_are_named_and_left_out, Plotting) {
  if (!possible) return;
  const fs::path a = folder.path() / "a";
  made_up_run(a, 0.4);
  // A segment cut short, files that are no segments, no case: the rest is drawn.
  const std::string profiles = read_file(a / "profiles/000001.h5"), first = read_file(a / "series/000001.h5");
  write_file(a / "profiles/000001.h5", profiles.substr(0, profiles.size() / 2));
  write_file(a / "series/000001 (copy).h5", first);
  write_file(a / "series/backup.h5", first);
  fs::remove(a / "case.toml");
  plots(0, "a",
        {"truncated or damaged", "series/000001 (copy).h5 is no segment", "series/backup.h5 is no segment",
         "case.toml cannot be read: No such file or directory"},
        "cut");
  BOOST_TEST(is_png(folder.path() / "cut/shear_ratio.png"));
  BOOST_TEST(!fs::exists(folder.path() / "cut/profiles.png"));

  // One bit of the numbers is turned. Then the segment is gone, then all segments are.
  std::string turned = first;
  turned[turned.size() - 4000] = char(turned[turned.size() - 4000] ^ 1);
  write_file(a / "series/000001.h5", turned);
  plots(0, "a", {"series/000001.h5 cannot be read and is left out: it is truncated or damaged"});
  fs::remove(a / "series/000001.h5");
  plots(0, "a", {"segments 000001 to 000001 are missing"});
  fs::remove(a / "series/000002.h5");
  plots(3, "a", {"holds no rows that can be read"});
}

// Earlier versions kept the order of the columns as a dataset of the segment.
BOOST_FIXTURE_TEST_CASE(segments_of_earlier_versions_are_drawn, Plotting) {
  if (!possible) return;
  made_up_run(folder.path() / "run", 0.4);
  fs::remove(folder.path() / "run/series/000002.h5");
  hdf5::File file = hdf5::File::create("series");
  hdf5::Group root = file.root();
  root.write<double>("step", std::vector<double>{0, 1, 2, 3}, {"1", "step"});
  root.write<double>("kinetic_energy", std::vector<double>{4, 3, 2, 1}, {"J", "made up"});
  root.write_texts("order", std::vector<std::string>{"step", "kinetic_energy"}, {"", "the columns in their order"});
  hdf5::write_sealed(folder.path() / "run/series/000001.h5", {"series", "earlier"}, file);
  plots(0, "run", {"kinetic_energy.png: kinetic_energy; over step"});
}

BOOST_FIXTURE_TEST_CASE(missing_columns_are_skipped_with_a_line, Plotting) {
  if (!possible) return;
  ResultsFolder results = ResultsFolder::create(folder.path() / "run", this_build());
  results.start_series(
      std::vector<Column>{{"step", "1", "step"}, {"time", "s", "time"}, {"kinetic_energy", "J", "made up"}});
  for (int k = 0; k < 30; ++k) results.append(std::vector<double>{1.0 * k, 0.1 * k, 1.0 / (k + 1)});
  results.flush();
  plots(0, "run", {"has no column coordination"});
  BOOST_TEST(is_png(folder.path() / "out/kinetic_energy.png"));
  BOOST_TEST(!fs::exists(folder.path() / "out/coordination.png"));
}

BOOST_FIXTURE_TEST_CASE(a_sentence_where_there_is_nothing_to_draw, Plotting) {
  if (!possible) return;
  plots(3, "none", {"there is no folder"});
  plots(3, ".", {"is no results folder"});
  made_up_run(folder.path() / "run", 0.4);
  folder.write("log", "");
  plots(3, "run", {"log/below cannot be read or written: Not a directory"}, "log/below");
}
