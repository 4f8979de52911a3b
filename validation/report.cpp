#include "validation/report.hpp"

#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "libdem/platform/text_file.hpp"

namespace dem::validation {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::string_view word_of(ClaimVerdict verdict) {
  switch (verdict) {
    case ClaimVerdict::agrees:
      return "agrees";
    case ClaimVerdict::differs:
      return "differs";
    case ClaimVerdict::not_comparable:
      break;
  }
  return "not comparable";
}

namespace {

Json json_of(const Claim& c) {
  return {{"id", c.id},
          {"source", c.source},
          {"published", c.published},
          {"measured", c.measured},
          {"tolerance", c.tolerance},
          {"verdict", word_of(c.verdict)},
          {"note", c.note}};
}

std::string_view word_of(Curve::Style style) {
  switch (style) {
    case Curve::Style::line:
      return "line";
    case Curve::Style::points:
      return "points";
    case Curve::Style::prediction:
      return "prediction";
    case Curve::Style::line_and_points:
      break;
  }
  return "line-and-points";
}

Json json_of(const Panel& p) {
  Json curves = Json::array(), polygons = Json::array();
  for (const Curve& c : p.curves) {  // numbers that are not finite become null
    if (c.x.size() != c.y.size() || (!c.y_low.empty() && c.y_low.size() != c.y.size()) ||
        c.y_low.size() != c.y_high.size())
      throw std::logic_error(fmt::format("the curve '{}' has columns of different length", c.label));
    curves.push_back({{"label", c.label},
                      {"x", c.x},
                      {"y", c.y},
                      {"y_low", c.y_low},
                      {"y_high", c.y_high},
                      {"style", word_of(c.style)}});
  }
  for (const DrawnPolygon& d : p.polygons)
    polygons.push_back({{"x", d.x}, {"y", d.y}, {"label", d.label}, {"role", d.role}});
  return {{"title", p.title}, {"x_label", p.x_label}, {"y_label", p.y_label}, {"log_x", p.log_x},
          {"log_y", p.log_y}, {"curves", curves},     {"polygons", polygons}};
}

Json json_of(const Figure& f) {
  Json panels = Json::array();
  for (const Panel& p : f.panels) panels.push_back(json_of(p));
  return {{"id", f.id},       {"title", f.title},         {"caption", f.caption},
          {"panels", panels}, {"case_text", f.case_text}, {"command", f.command}};
}

std::string text_of(const Json& json) {  // a byte that is no UTF-8 must not cost the rest
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

fs::path study_folder(const fs::path& output, std::string_view study, bool quick) {
  return output / study / (quick ? "quick" : "full");
}

void write_result(const fs::path& output, const StudyResult& r) {
  Json claims = Json::array(), figures = Json::array();
  for (const Claim& c : r.claims) claims.push_back(json_of(c));
  for (const Figure& f : r.figures) figures.push_back(json_of(f));
  const Json json{{"format", 1},      {"study", r.study},     {"title", r.title},     {"quick", r.quick},
                  {"date", r.date},   {"version", r.version}, {"seconds", r.seconds}, {"remark", ""},
                  {"error", r.error}, {"claims", claims},     {"figures", figures}};
  const fs::path folder = study_folder(output, r.study, r.quick);
  create_folder(folder);
  write_file(folder / "result.json", text_of(json));
}

}  // namespace dem::validation
