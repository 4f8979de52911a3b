// A validation study: published statements beside what libdem measures (`dem validate`).
//
// A study is a function. It computes (with sweeps of case files, or with tasks of its own), adds a claim for each
// published statement and the figures that show it. It never draws and never prints: the report does.
#pragma once
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "libdem/sweep/sweep.hpp"
#include "libdem/sweep/tasks.hpp"

namespace dem::validation {

enum class ClaimVerdict { agrees, differs, not_comparable };

/// One published statement and what became of it.
struct Claim {
  std::string id;         ///< "pena2008/figure-3/collapse": study, then a word; unique
  std::string source;     ///< "Peña, Lind, Herrmann, Fig. 3a", "polygon-dem reference §5, table"
  std::string published;  ///< the statement or number as published
  std::string measured;   ///< the same here, with its uncertainty
  std::string tolerance;  ///< and where it comes from (never from our own result)
  ClaimVerdict verdict = ClaimVerdict::not_comparable;
  std::string note;  ///< one sentence why
};

/// Points or a line of a figure.
struct Curve {
  enum class Style {
    line,
    points,
    line_and_points,
    prediction
  };  ///< prediction: dashed, for theory and published values
  std::string label;
  std::vector<double> x, y;
  std::vector<double> y_low, y_high;  ///< ends of error bars, of a line the edges of a band; empty: none
  Style style = Style::line_and_points;
};

/// A polygon of a drawn picture, for figures that show shapes instead of curves.
struct DrawnPolygon {
  std::vector<double> x, y;
  std::string label;  ///< in the legend; empty: not there
  std::string role;   ///< "body-i", "body-j", "overlap", "plane": decides the colour; a plane is an open line
};

struct Panel {
  std::string title, x_label, y_label;  ///< labels with units
  bool log_x = false, log_y = false;
  std::vector<Curve> curves;
  std::vector<DrawnPolygon> polygons;  ///< equal axes when there are any
};

struct Figure {
  std::string id;  ///< "pena2008/figure-3"
  std::string title, caption;
  std::vector<Panel> panels;
  std::string case_text;  ///< the case behind it, as TOML; empty where there is none
  std::string command;    ///< that computes it again
};

/// What a study is given, and where it leaves its results.
class StudyRun {
 public:
  StudyRun(std::string study, bool quick, int workers, std::filesystem::path folder, std::filesystem::path sources)
      : study_(std::move(study)),
        quick_(quick),
        workers_(workers),
        folder_(std::move(folder)),
        sources_(std::move(sources)) {}

  bool quick() const { return quick_; }
  int workers() const { return workers_; }
  const std::filesystem::path& sources() const { return sources_; }  ///< folder of the study: cases, sweeps
  const std::filesystem::path& folder() const { return folder_; }    ///< of its results: checkpoints of long tasks

  /// Runs SOURCES/file (quick: SOURCES/quick-FILE where that exists), resuming what an earlier call left.
  SweepTable sweep(std::string_view file);
  /// Tasks under a name that is unique within the study; resumed like sweeps. The fingerprint must hold every parameter
  /// that changes their numbers.
  std::vector<TaskResult> tasks(std::string_view name, std::size_t count, const Task&, std::string fingerprint,
                                std::vector<double> cost = {});

  /// id is given without the study's name.
  void claim(Claim);
  void figure(Figure);
  std::span<const Claim> claims() const { return claims_; }
  std::span<const Figure> figures() const { return figures_; }

 private:
  std::string study_;
  bool quick_;
  int workers_;
  std::filesystem::path folder_, sources_;
  std::vector<Claim> claims_;
  std::vector<Figure> figures_;
};

struct Study {
  std::string_view name;   ///< "pena2008/figure-3": also the folder below validation/
  std::string_view title;  ///< one line
  double full_minutes;     ///< expected on 2 cores, measured once
  double quick_seconds;
  void (*run)(StudyRun&);
};

/// All studies, in the order of the report. A study declares its function in its paper's studies.hpp and has a row in
/// catalogue.cpp.
std::span<const Study> studies();

}  // namespace dem::validation
