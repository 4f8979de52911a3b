// What `dem validate` leaves: one result a study, and what is made of all of them: claims.json, figures.json, the page.
#pragma once
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "validation/study.hpp"

namespace dem::validation {

/// "agrees", "differs", "not comparable": the words of the table, of claims.json and of the page.
std::string_view word_of(ClaimVerdict);

/// A study that was run, to its end or to an error.
struct StudyResult {
  std::string study, title;
  bool quick = false;
  std::string date;     ///< UTC, "2026-11-20 13:24"
  std::string version;  ///< of the program
  double seconds = 0;   ///< wall-clock time of this call: what earlier calls had finished costs nothing
  std::string remark;   ///< parts that another build of the program computed; empty: none
  std::string error;    ///< why it did not come to its end; empty: it did
  std::vector<Claim> claims;
  std::vector<Figure> figures;
};

/// OUTPUT/<study>/quick or full: journals of the study and result.json.
std::filesystem::path study_folder(const std::filesystem::path& output, std::string_view study, bool quick);

/// Writes OUTPUT/<study>/{quick,full}/result.json. Throws FileError.
void write_result(const std::filesystem::path& output, const StudyResult&);

/// Gathers the latest result of each study into OUTPUT/claims.json (a list of objects with the keys id, source,
/// published, measured, tolerance, verdict, note) and OUTPUT/figures.json (everything, for report.py). Throws
/// FileError.
void merge_results(const std::filesystem::path& output, std::span<const Study> known);

/// Draws OUTPUT/report.html. Returns "" or a sentence that says why there is none and how to get it; an older page is
/// removed then, since it would contradict claims.json.
std::string draw_page(const std::filesystem::path& output, const std::filesystem::path& sources);

/// Claims of a study for a terminal of `width` columns: id, published, measured, verdict, and the note of those that do
/// not agree.
std::string claims_table(const StudyResult&, std::size_t width);
/// "12 agree, 3 differ, 1 not comparable".
std::string counts_text(std::span<const Claim>);

}  // namespace dem::validation
