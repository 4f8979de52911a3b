// The plotting script, from a results folder to PNG.
#include <sys/wait.h>

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdlib>

#include "files/results_test_tools.hpp"
#include "libdem/files/results.hpp"
#include "libdem/files/text_file.hpp"

using namespace dem;
using namespace dem::test;

namespace {

namespace fs = std::filesystem;
const std::string script = "bash " LIBDEM_SOURCE_DIR "/apps/plot.sh";

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
  const Outcome o = run(script + " --help", scratch);
  if (o.code != 0) BOOST_TEST_MESSAGE("plots are not tested: " << o.text);
  return o.code == 0;
}

std::vector<Column> columns() {
  std::vector<Column> out{{"step", "1", "step"}, {"time", "s", "time"}, {"strain", "1", "shear strain"}};
  for (const char* name :
       {"stress_xy", "stress_yy", "shear_ratio", "kinetic_energy", "coordination", "sliding_fraction"})
    out.push_back({name, name[0] == 's' && name[1] == 't' ? "N/m" : "1", "made up"});
  for (const char* name : {"boundary_work", "kinetic", "stored_normal", "stored_tangential", "friction", "viscous",
                           "circulation", "event_loss", "residual", "absolute_work"})
    out.push_back({std::string("ledger_") + name, "J", "made up"});
  return out;
}

/// 200 rows of compression without strain, then 800 of shear.
void made_up_run(const fs::path& path, double friction) {
  RunDescription description = this_build();
  description.case_text = "format = 1\n";
  ResultsFolder folder = ResultsFolder::create(path, description);
  const std::vector<SeriesColumn> profiles{{{"velocity_x", "m/s", "mean"}, {0.5, 1.5, 2.5, 3.5, 4.5}, "m"},
                                           {{"spin", "rad/s", "mean"}, {0.5, 1.5, 2.5, 3.5, 4.5}, "m"}};
  folder.start_series(columns(), profiles);
  for (int k = 0; k < 1000; ++k) {
    const double strain = k < 200 ? 0 : (k - 200) * 5e-4, wave = std::sin(0.37 * k * (1 + friction));
    const double yy = -1000 * std::min(1.0, k / 150.0),
                 ratio = friction * (1 - std::exp(-strain / 0.03)) * (1 + 0.05 * wave);
    const double w = 40 * strain + 3 * std::min(1.0, k / 150.0);
    folder.append(std::vector<double>{1.0 * k, 0.01 * k, strain, ratio * yy, yy, ratio,
                                      1e-3 * (1.2 + wave) + (k < 20 ? 5 : 0), 4 - 2 * friction * strain,
                                      0.1 + 0.05 * wave, w, 0.01 * w, 2, 1, 0.8 * w, 0.1 * w, 0.02 * w, 0.01 * w,
                                      1e-4 * w * (1.5 + wave), 2 * w + 1});
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
  const Outcome o = run(script + " " + a.string() + " " + b.string() + " --output " + pictures.string(), folder.path);
  BOOST_TEST_CONTEXT(o.text) BOOST_TEST(o.code == 0);
  for (const char* name :
       {"overview", "shear_ratio", "kinetic_energy", "coordination", "sliding_fraction", "profiles", "ledger"}) {
    BOOST_TEST_CONTEXT(name) BOOST_TEST(is_png(pictures / (std::string(name) + ".png")));
    BOOST_TEST(o.text.find(std::string(name) + ".png") != std::string::npos);
  }

  // The newest segment cut short: the rest is drawn.
  const std::string bytes = read_file(a / "profiles/000001.h5");
  write_file(a / "profiles/000001.h5", bytes.substr(0, bytes.size() / 2));
  const Outcome cut = run(script + " " + a.string() + " --output " + (folder.path / "cut").string(), folder.path);
  BOOST_TEST_CONTEXT(cut.text) BOOST_TEST(cut.code == 0);
  BOOST_TEST(cut.text.find("truncated or damaged") != std::string::npos);
  BOOST_TEST(is_png(folder.path / "cut/shear_ratio.png"));
  BOOST_TEST(!fs::exists(folder.path / "cut/profiles.png"));
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
  const Outcome o =
      run(script + " " + results.path().string() + " --output " + (folder.path / "out").string(), folder.path);
  BOOST_TEST_CONTEXT(o.text) BOOST_TEST(o.code == 0);
  BOOST_TEST(o.text.find("has no column coordination") != std::string::npos);
  BOOST_TEST(is_png(folder.path / "out/kinetic_energy.png"));
  BOOST_TEST(!fs::exists(folder.path / "out/coordination.png"));
}

BOOST_AUTO_TEST_CASE(what_cannot_be_drawn_is_a_sentence) {
  const TemporaryFolder folder;
  if (!can_plot(folder.path)) return;
  const std::string out = " --output " + (folder.path / "out").string();
  const Outcome none = run(script + " " + (folder.path / "none").string() + out, folder.path);
  BOOST_TEST(none.code != 0);
  BOOST_TEST(none.text.find("there is no folder") != std::string::npos);
  const Outcome empty = run(script + " " + folder.path.string() + out, folder.path);
  BOOST_TEST(empty.code != 0);
  BOOST_TEST(empty.text.find("is no results folder") != std::string::npos);
  made_up_run(folder.path / "run", 0.4);
  const Outcome disk = run(
      script + " " + (folder.path / "run").string() + " --output " + (folder.path / "log/below").string(), folder.path);
  BOOST_TEST(disk.code != 0);
  BOOST_TEST_CONTEXT(disk.text) BOOST_TEST(disk.text.find("cannot write to") != std::string::npos);
  for (const Outcome& o : {none, empty, disk}) BOOST_TEST(o.text.find("Traceback") == std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
