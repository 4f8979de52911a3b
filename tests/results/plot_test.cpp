// dem plot with results folders made up here: pictures laid over each other, and what is damaged, missing or none of
// the series.
#include <sys/wait.h>

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdlib>

#include "libdem/platform/text_file.hpp"
#include "libdem/results/folder.hpp"
#include "libdem/results/hdf5_sealed.hpp"
#include "results/results_test_tools.hpp"

using namespace dem;
using namespace dem::test;

namespace {

namespace fs = std::filesystem;
const std::string plot = "'" LIBDEM_PROGRAM "' plot ";

struct Outcome {
  int code;
  std::string text;
};
Outcome run(const std::string& command, const fs::path& scratch) {
  const fs::path log = scratch / "log";
  const int status = std::system((command + " > " + log.string() + " 2>&1").c_str());
  return {WEXITSTATUS(status), read_file(log)};
}

bool can_plot(const fs::path& scratch) {
  const Outcome o = run("bash " LIBDEM_SOURCE_DIR "/apps/find-python.sh h5py matplotlib numpy tomllib", scratch);
  if (o.code != 0) BOOST_TEST_MESSAGE("plots are not tested: " << o.text);
  return o.code == 0;
}

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
  const std::vector<SeriesColumn> profiles{{{"velocity_x", "m/s", "mean"}, {0.5, 1.5, 2.5, 3.5, 4.5}, "m"},
                                           {{"spin", "rad/s", "mean"}, {0.5, 1.5, 2.5, 3.5, 4.5}, "m"}};
  folder.start_series(columns(), profiles);
  for (int k = 0; k < 1200; ++k) {
    const double strain = k < 200 ? 0 : (k - 200) * 5e-4, wave = std::sin(0.37 * k * (1 + friction));
    const double ratio = friction * (1 - std::exp(-strain / 0.03)) * (1 + 0.05 * wave);
    const double w = 40 * strain + 3 * std::min(1.0, k / 150.0);
    folder.append(std::vector<double>{1.0 * k, 0.01 * k, strain, ratio, 1e-3 * (1.2 + wave) + (k < 20 ? 5 : 0),
                                      4 - 2 * friction * strain, 0.1 + 0.05 * wave, w, 2, 1, 0.8 * w, 0.1 * w, 0.02 * w,
                                      0.01 * w, 1e-4 * w * (1.5 + wave), 2 * w + 1});
    if (k % 50 == 0) {
      std::vector<double> bins;
      for (const double y : {0.5, 1.5, 2.5, 3.5, 4.5}) bins.push_back(0.01 * (y - 2.5) * (1 + 0.3 * wave));
      for (const double y : {0.5, 1.5, 2.5, 3.5, 4.5}) bins.push_back(-0.005 * (1 + 0.1 * std::cos(y + k)));
      folder.append_profiles(static_cast<std::uint64_t>(k), 0.01 * k, strain, bins);
    }
  }
  folder.flush();
}

bool is_png(const fs::path& file) {
  const std::string bytes = fs::exists(file) ? read_file(file) : "";
  return bytes.starts_with("\x89PNG\r\n\x1a\n") && bytes.size() > 5000;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(plots)

BOOST_AUTO_TEST_CASE(two_runs_over_each_other) {
  const TemporaryFolder folder;
  if (!can_plot(folder.path)) return;
  const fs::path a = folder.path / "area-gradient", b = folder.path / "edge-mean";
  const char* keep = std::getenv("LIBDEM_TEST_PICTURES");  // for looking at
  const fs::path pictures = keep ? fs::path(keep) : folder.path / "pictures";
  made_up_run(a, 0.4);
  made_up_run(b, 0.3);
  const Outcome o = run(plot + a.string() + " " + b.string() + " --output " + pictures.string(), folder.path);
  BOOST_TEST_CONTEXT(o.text) BOOST_TEST(o.code == 0);
  for (const char* name :
       {"overview", "shear_ratio", "kinetic_energy", "coordination", "sliding_fraction", "profiles", "ledger"}) {
    BOOST_TEST_CONTEXT(name) BOOST_TEST(is_png(pictures / (std::string(name) + ".png")));
    BOOST_TEST(o.text.find(std::string(name) + ".png: ") != std::string::npos);
  }
  BOOST_TEST_CONTEXT(o.text)
  BOOST_TEST(o.text.find("overview.png: shear_ratio, kinetic_energy, coordination, sliding_fraction; over strain\n") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_is_damaged_missing_or_no_segment_is_said_and_left_out) {
  const TemporaryFolder folder;
  if (!can_plot(folder.path)) return;
  const fs::path a = folder.path / "a";
  made_up_run(a, 0.4);
  // A segment cut short, files that are no segments, no case: the rest is drawn.
  const std::string profiles = read_file(a / "profiles/000001.h5"), first = read_file(a / "series/000001.h5");
  write_file(a / "profiles/000001.h5", profiles.substr(0, profiles.size() / 2));
  write_file(a / "series/000001 (copy).h5", first);
  write_file(a / "series/backup.h5", first);
  fs::remove(a / "case.toml");
  const Outcome cut = run(plot + a.string() + " --output " + (folder.path / "cut").string(), folder.path);
  BOOST_TEST_CONTEXT(cut.text) {
    BOOST_TEST(cut.code == 0);
    BOOST_TEST(cut.text.find("truncated or damaged") != std::string::npos);
    BOOST_TEST(cut.text.find("series/000001 (copy).h5 is no segment") != std::string::npos);
    BOOST_TEST(cut.text.find("series/backup.h5 is no segment") != std::string::npos);
    BOOST_TEST(cut.text.find("case.toml cannot be read: No such file or directory") != std::string::npos);
    BOOST_TEST(cut.text.find("Traceback") == std::string::npos);
  }
  BOOST_TEST(is_png(folder.path / "cut/shear_ratio.png"));
  BOOST_TEST(!fs::exists(folder.path / "cut/profiles.png"));

  // One bit of the numbers; then the segment is gone; then nothing is left.
  std::string turned = first;
  turned[turned.size() - 4000] = char(turned[turned.size() - 4000] ^ 1);
  write_file(a / "series/000001.h5", turned);
  const Outcome damaged = run(plot + a.string() + " --output " + (folder.path / "damaged").string(), folder.path);
  BOOST_TEST_CONTEXT(damaged.text) BOOST_TEST(damaged.code == 0);
  BOOST_TEST_CONTEXT(damaged.text)
  BOOST_TEST(damaged.text.find("series/000001.h5 cannot be read and is left out: it is truncated or damaged") !=
             std::string::npos);
  fs::remove(a / "series/000001.h5");
  const Outcome lost = run(plot + a.string() + " --output " + (folder.path / "lost").string(), folder.path);
  BOOST_TEST_CONTEXT(lost.text)
  BOOST_TEST(lost.text.find("segments 000001 to 000001 are missing") != std::string::npos);
  fs::remove(a / "series/000002.h5");
  const Outcome nothing = run(plot + a.string() + " --output " + (folder.path / "nothing").string(), folder.path);
  BOOST_TEST_CONTEXT(nothing.text) BOOST_TEST(nothing.code == 3);
  BOOST_TEST_CONTEXT(nothing.text) BOOST_TEST(nothing.text.find("holds no rows that can be read") != std::string::npos);
}

// Earlier versions kept the order of the columns as a dataset of the segment.
BOOST_AUTO_TEST_CASE(segments_of_earlier_versions_are_drawn) {
  const TemporaryFolder folder;
  if (!can_plot(folder.path)) return;
  made_up_run(folder.path / "run", 0.4);
  fs::remove(folder.path / "run/series/000002.h5");
  hdf5::File file = hdf5::File::create("series");
  hdf5::Group root = file.root();
  const std::vector<double> steps{0, 1, 2, 3}, energy{4, 3, 2, 1};
  const std::vector<std::string> order{"step", "kinetic_energy"};
  root.write<double>("step", steps, {"1", "step"});
  root.write<double>("kinetic_energy", energy, {"J", "made up"});
  root.write_texts("order", order, {"", "the columns in their order"});
  hdf5::write_sealed(folder.path / "run/series/000001.h5", {"series", "earlier", 0}, file);
  const Outcome o =
      run(plot + (folder.path / "run").string() + " --output " + (folder.path / "out").string(), folder.path);
  BOOST_TEST_CONTEXT(o.text) BOOST_TEST(o.code == 0);
  BOOST_TEST_CONTEXT(o.text)
  BOOST_TEST(o.text.find("kinetic_energy.png: kinetic_energy; over step") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(missing_columns_are_skipped_with_a_line) {
  const TemporaryFolder folder;
  if (!can_plot(folder.path)) return;
  RunDescription description = this_build();
  ResultsFolder results = ResultsFolder::create(folder.path / "run", description);
  results.start_series(
      std::vector<Column>{{"step", "1", "step"}, {"time", "s", "time"}, {"kinetic_energy", "J", "made up"}});
  for (int k = 0; k < 30; ++k) results.append(std::vector<double>{1.0 * k, 0.1 * k, 1.0 / (k + 1)});
  results.flush();
  const Outcome o = run(plot + results.path().string() + " --output " + (folder.path / "out").string(), folder.path);
  BOOST_TEST_CONTEXT(o.text) BOOST_TEST(o.code == 0);
  BOOST_TEST(o.text.find("has no column coordination") != std::string::npos);
  BOOST_TEST(is_png(folder.path / "out/kinetic_energy.png"));
  BOOST_TEST(!fs::exists(folder.path / "out/coordination.png"));
}

BOOST_AUTO_TEST_CASE(what_cannot_be_drawn_is_a_sentence) {
  const TemporaryFolder folder;
  if (!can_plot(folder.path)) return;
  const std::string out = " --output " + (folder.path / "out").string();
  const Outcome none = run(plot + (folder.path / "none").string() + out, folder.path);
  BOOST_TEST(none.code == 3);
  BOOST_TEST(none.text.find("there is no folder") != std::string::npos);
  const Outcome empty = run(plot + folder.path.string() + out, folder.path);
  BOOST_TEST(empty.code == 3);
  BOOST_TEST(empty.text.find("is no results folder") != std::string::npos);
  made_up_run(folder.path / "run", 0.4);
  const Outcome disk =
      run(plot + (folder.path / "run").string() + " --output " + (folder.path / "log/below").string(), folder.path);
  BOOST_TEST(disk.code == 3);
  BOOST_TEST_CONTEXT(disk.text)
  BOOST_TEST(disk.text.find("log/below cannot be read or written: Not a directory") != std::string::npos);
  for (const Outcome& o : {none, empty, disk}) BOOST_TEST(o.text.find("Traceback") == std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
