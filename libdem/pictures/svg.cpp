#include "libdem/pictures/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "libdem/pictures/svg_colour.hpp"

namespace dem {
namespace {

constexpr double left = 28, top = 84, right = 132, bottom = 66;  // margins around the assembly, pixels
constexpr const char* ink = "#20242a";
constexpr const char* plate_fill = "#707882";
constexpr const char* no_value = "#c8c8c8";
constexpr double picture_width = 1000;  // pixels, at most
constexpr double least_width = 480;     // pixels: room for the words above and below a narrow assembly
/// Bodies of these groups, and walls, are drawn dark with a strong outline instead of coloured.
constexpr std::array<std::string_view, 2> plate_groups{"bottom-plate", "top-plate"};

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else if (static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t')
      out += c;  // XML 1.0 allows no other control characters
  }
  return out;
}

std::size_t letters_of(std::string_view text) {
  return std::size_t(std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

/// The first letters of a text, with an ellipsis if it has more.
std::string shortened(std::string_view text, std::size_t letters) {
  for (std::size_t end = 0; end < text.size(); ++end)
    if ((text[end] & 0xC0) != 0x80 && letters-- == 0) return std::string(text.substr(0, end)) + "…";
  return std::string(text);
}

/// The middles of cells of a grid that circles cover.
class Cover {
 public:
  Cover(double width, double height, double cell) : cell_(cell), columns_(cells(width)), rows_(cells(height)) {
    covered_.resize(std::size_t(columns_ * rows_));
  }

  /// Adds a circle behind the others. False: they hide it.
  bool add(double x, double y, double r) {
    x /= cell_, y /= cell_, r = std::max(r / cell_, 0.75);  // every circle has the middle of a cell
    const auto begin = [](double low) { return std::max<std::ptrdiff_t>(0, std::ptrdiff_t(std::floor(low))); };
    const auto end = [](double high, std::ptrdiff_t size) { return std::min(size, std::ptrdiff_t(std::ceil(high))); };
    bool shows = false;
    for (std::ptrdiff_t row = begin(y - r); row < end(y + r, rows_); ++row)
      for (std::ptrdiff_t column = begin(x - r); column < end(x + r, columns_); ++column) {
        const double dx = double(column) + 0.5 - x, dy = double(row) + 0.5 - y;
        char& covered = covered_[std::size_t(row * columns_ + column)];
        if (covered || dx * dx + dy * dy > r * r) continue;
        shows = true;
        covered = true;
      }
    return shows;
  }

 private:
  std::ptrdiff_t cells(double pixels) const { return pixels > 0 ? std::ptrdiff_t(std::ceil(pixels / cell_)) : 0; }
  double cell_;  // pixels
  std::ptrdiff_t columns_, rows_;
  std::vector<char> covered_;
};

/// Draws one assembly: first the window (in metres) and the scale, then the layers.
class Frame {
 public:
  Frame(const AssemblyView& view, const std::string& title, BodyScalar colour)
      : view_(view), s_(view.state), title_(title.empty() ? "libdem" : title), colour_(std::move(colour)) {
    find_strays();
    if (s_.dimension == 3) spheres_ = placed_spheres(s_);
    std::erase_if(spheres_, [this](const PlacedSphere& s) { return is_stray_[s.body]; });
    choose_window();
    choose_range();
    const double w = high_.x - low_.x, h = high_.y - low_.y, room = picture_width - left - right;
    scale_ = std::min(room / w, 1.25 * room / h);
    plot_width_ = scale_ * w;
    plot_height_ = scale_ * h;
    width_ = std::max(left + plot_width_ + right, least_width);
    height_ = top + plot_height_ + bottom;
  }

  std::string draw() {
    out_ = fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" "
        "width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"DejaVu Sans, Helvetica, "
        "Arial, sans-serif\" fill=\"{2}\">\n<title>{3}</title>\n<rect width=\"100%\" height=\"100%\" "
        "fill=\"#ffffff\"/>\n"
        "<clipPath id=\"window\"><rect x=\"{4:.2f}\" y=\"{5:.2f}\" width=\"{6:.2f}\" height=\"{7:.2f}\"/></clipPath>\n",
        width_, height_, ink, escaped(title_), left, top, plot_width_, plot_height_);
    out_ += "<g clip-path=\"url(#window)\">\n";
    if (s_.dimension == 3)
      draw_spheres();
    else
      draw_bodies();
    if (s_.dimension == 2) draw_forces();
    out_ += "</g>\n";
    draw_border();
    draw_heading();
    draw_colour_bar();
    draw_scales();
    return out_ + "</svg>\n";
  }

 private:
  bool is_half_plane(std::size_t b) const { return shape(b).is_half_plane(); }
  const Shape& shape(std::size_t b) const { return s_.shape_of(b); }
  bool is_plate(std::size_t b) const {
    const std::string& group = s_.groups[s_.bodies.group[b]];
    return is_half_plane(b) || group == "wall" || std::ranges::find(plate_groups, group) != plate_groups.end();
  }
  /// Only plates shear the assembly as a whole; walls do not.
  bool has_plates() const {
    return std::ranges::any_of(s_.bodies.group, [this](std::size_t g) {
      return std::ranges::find(plate_groups, s_.groups[g]) != plate_groups.end();
    });
  }
  /// Position in the picture. In space the view is along +y, x to the right and z upwards.
  Vec2 flat(Vec3 a) const { return s_.dimension == 3 ? Vec2{a.x, a.z} : planar(a); }
  std::size_t upwards() const { return s_.dimension == 3 ? 2 : 1; }  ///< the axis that points up
  double x(double metres) const { return left + scale_ * (metres - low_.x); }
  double y(double metres) const { return top + plot_height_ - scale_ * (metres - low_.y); }

  /// Bodies that left the others far behind are not shown: they would make the others small, or hide them. They are
  /// farther from the middle 98 % than that is wide. No body gets far from plates.
  void find_strays() {
    is_stray_.assign(s_.bodies.size(), false);
    std::vector<std::size_t> loose;
    for (std::size_t b = 0; b < s_.bodies.size(); ++b)
      if (!is_plate(b)) loose.push_back(b);
    if (loose.size() < 100 || has_plates()) return;
    struct Middle {
      int axis;
      double low, high;
    };
    std::vector<Middle> middle;  // a row for each axis that does not close on itself
    double width = 0;
    for (const std::size_t b : loose) width = std::max(width, 10 * shape(b).bounding_radius());
    const auto coordinate = [this](std::size_t b, int axis) {
      const Vec3 p = s_.bodies.position[0][b];
      return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
    };
    for (int axis = 0; axis < s_.dimension; ++axis) {
      if (s_.cell.periodic[std::size_t(axis)]) continue;
      std::vector<double> at;
      for (const std::size_t b : loose)
        if (const double x = coordinate(b, axis); std::isfinite(x)) at.push_back(x);
      if (at.empty()) at.push_back(0);
      std::ranges::sort(at);
      const std::size_t edge = at.size() / 100;
      middle.push_back({axis, at[edge], at[at.size() - 1 - edge]});
      width = std::max(width, middle.back().high - middle.back().low);
    }
    for (const std::size_t b : loose)
      is_stray_[b] = std::ranges::any_of(middle, [&](const Middle& m) {
        const double x = coordinate(b, m.axis);
        return !(x >= m.low - width && x <= m.high + width);
      });
    strays_ = std::size_t(std::ranges::count(is_stray_, true));
  }

  void choose_window() {
    constexpr double huge = std::numeric_limits<double>::max();
    low_ = {huge, huge}, high_ = {-huge, -huge};
    const auto include = [this](Vec2 c, double r) {
      low_ = {std::min(low_.x, c.x - r), std::min(low_.y, c.y - r)};
      high_ = {std::max(high_.x, c.x + r), std::max(high_.y, c.y + r)};
    };
    double mean = 0;
    std::size_t count = 0;
    for (std::size_t b = 0; b < s_.bodies.size(); ++b) {
      if (is_half_plane(b) || is_stray_[b]) continue;
      for (const Vec2 p : placed_outline(s_, b)) include(p, 0);
      mean += shape(b).equivalent_radius();
      ++count;
    }
    for (const PlacedSphere& s : spheres_) include(flat(s.centre), s.radius);
    if (count == 0) low_ = {0, 0}, high_ = {1, 1};
    mean_radius_ = count ? mean / static_cast<double>(count) : 0.5;
    const Vec2 margin{0.4 * mean_radius_, 0.4 * mean_radius_};
    low_ -= margin, high_ += margin;
    // Along a periodic direction the window is the cell.
    const Vec2 origin = flat(s_.cell_origin);
    if (s_.cell.periodic[0]) low_.x = origin.x, high_.x = low_.x + s_.cell.vectors[0].x;
    if (s_.cell.periodic[upwards()]) low_.y = origin.y, high_.y = low_.y + flat(s_.cell.vectors[upwards()]).y;
  }

  void choose_range() {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (std::size_t b = 0; b < colour_.values.size(); ++b) {
      const double value = colour_.values[b];
      if (is_plate(b) || is_stray_[b] || !std::isfinite(value)) continue;
      low = std::min(low, value), high = std::max(high, value);
    }
    if (!(low <= high)) low = high = 0;
    if (colour_.signed_values) high = std::max(std::abs(low), std::abs(high)), low = -high;
    range_ = round_range(low, high);
    if (!colour_.signed_values && low == 0 && high == 0) range_ = {0, 1};
  }

  /// Calls draw(shift in metres) for each periodic image of an object at `centre` that may reach into the window.
  template <class Draw>
  void for_images(Vec2 centre, double reach, const Draw& draw) const {
    const Vec2 a = flat(s_.cell.vectors[0]), b = flat(s_.cell.vectors[upwards()]), origin = flat(s_.cell_origin);
    const int na = s_.cell.periodic[0], nb = s_.cell.periodic[upwards()];
    const double kb = nb ? -std::floor(cross(a, centre - origin) / cross(a, b)) : 0;
    for (int p = -na; p <= na; ++p)
      for (int q = -nb; q <= nb; ++q) {
        const Vec2 up = (kb + q) * b;
        // Each row of cells by itself, because b may lean over many cells.
        const double ka = na ? -std::floor(dot(centre + up - origin, a) / dot(a, a)) : 0;
        const Vec2 shift = (ka + p) * a + up, c = centre + shift;
        if (c.x + reach >= low_.x && c.x - reach <= high_.x && c.y + reach >= low_.y && c.y - reach <= high_.y)
          draw(shift);
      }
  }

  std::string fill(std::size_t b) const {
    if (is_plate(b)) return plate_fill;
    const double value = b < colour_.values.size() ? colour_.values[b] : std::nan("");
    if (!std::isfinite(value)) return no_value;
    return map_colour((value - range_[0]) / (range_[1] - range_[0]), colour_.signed_values);
  }

  void polygon(std::span<const Vec2> points, Vec2 shift) {
    out_ += "<polygon points=\"";
    for (const Vec2 p : points) out_ += fmt::format("{:.2f},{:.2f} ", x(p.x + shift.x), y(p.y + shift.y));
    out_.back() = '"';
  }

  void draw_bodies() {
    for (const bool plates : {false, true}) {
      out_ += fmt::format("<g class=\"{}\" stroke=\"{}\" stroke-width=\"{:.2f}\" stroke-linejoin=\"round\">\n",
                          plates ? "plates" : "bodies", plates ? "#0c0e11" : "#2a2e34", plates ? 1.4 : 0.7);
      for (std::size_t b = 0; b < s_.bodies.size(); ++b)
        if (is_plate(b) == plates && !is_stray_[b]) is_half_plane(b) ? draw_half_plane(b) : draw_body(b);
      out_ += "</g>\n";
    }
  }

  /// Circles from back to front, without those that nearer ones hide.
  void draw_spheres() {
    const Vec3 b = s_.cell.vectors[1];
    double mean = 0;
    for (PlacedSphere& s : spheres_) {  // into the cell along the line of sight
      if (s_.cell.periodic[1]) s.centre = s.centre - std::floor((s.centre.y - s_.cell_origin.y) / b.y) * b;
      mean += scale_ * s.radius / double(spheres_.size());
    }
    std::ranges::stable_sort(spheres_, {}, [](const PlacedSphere& s) { return s.centre.y; });
    Cover cover(plot_width_, plot_height_, std::clamp(mean / 8, 0.25, 1.0));
    std::vector<std::string> circles;
    for (const PlacedSphere& s : spheres_) {
      const std::string colour = fill(s.body);
      const Vec2 centre = flat(s.centre);
      for_images(centre, s.radius, [&](Vec2 shift) {
        const double cx = x(centre.x + shift.x), cy = y(centre.y + shift.y), r = scale_ * s.radius;
        if (cover.add(cx - left, cy - top, r))
          circles.push_back(
              fmt::format("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{:.2f}\" fill=\"{}\"/>\n", cx, cy, r, colour));
      });
    }
    out_ += "<g class=\"bodies\" stroke=\"#2a2e34\" stroke-width=\"0.5\">\n";
    for (auto circle = circles.rbegin(); circle != circles.rend(); ++circle) out_ += *circle;
    out_ += "</g>\n";
  }

  void draw_body(std::size_t b) {
    const Vec2 centre = planar(s_.bodies.position[0][b]);
    const std::string colour = fill(b);
    const bool disc = shape(b).kind() == ShapeKind::disc;
    const std::vector<Vec2> outline = disc ? std::vector<Vec2>{} : placed_outline(s_, b);
    for_images(centre, shape(b).bounding_radius(), [&](Vec2 shift) {
      if (!disc) {
        polygon(outline, shift);
        out_ += fmt::format(" fill=\"{}\"/>\n", colour);
        return;
      }
      const Vec2 c = centre + shift, rim = c + shape(b).radius() * Turn::by(s_.bodies.rotation[0][b].z)({1, 0});
      out_ += fmt::format("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{:.2f}\" fill=\"{}\"/>\n", x(c.x), y(c.y),
                          scale_ * shape(b).radius(), colour);
      line(x(c.x), y(c.y), x(rim.x), y(rim.y), "stroke-opacity=\"0.4\"");  // shows the turn
    });
  }

  void draw_half_plane(std::size_t b) {
    const Turn turn = Turn::by(s_.bodies.rotation[0][b].z);
    const Vec2 at = planar(s_.bodies.position[0][b]);
    const double far = 2 * norm(high_ - low_) + norm(at - low_);
    const std::vector<Vec2> behind{at + turn({0, far}), at + turn({-far, far}), at + turn({-far, -far}),
                                   at + turn({0, -far})};
    polygon(behind, {});
    out_ += fmt::format(" fill=\"{}\"/>\n", plate_fill);
  }

  void draw_forces() {
    for (const ContactRecord& c : view_.contacts) largest_force_ = std::max(largest_force_, norm(c.force));
    if (!(largest_force_ > 0)) return;
    force_width_ = std::min(0.55 * scale_ * mean_radius_, 16.0);
    for (const bool tension : {false, true}) {
      out_ += fmt::format(
          "<g class=\"{}\" fill=\"none\" stroke=\"{}\" stroke-opacity=\"0.85\" stroke-linecap=\"round\" "
          "stroke-linejoin=\"round\">\n",
          tension ? "tension" : "forces", tension ? tension_colour : force_colour);
      for (const ContactRecord& c : view_.contacts) {
        const double width = force_width_ * norm(c.force) / largest_force_;
        if ((c.normal_force < 0) != tension || width < 0.05) continue;
        tension_seen_ |= tension;
        // A half-plane has no visible centre, so the line ends at the contact point.
        const Vec2 a = planar(s_.bodies.position[0][c.key.i]), p = planar(c.point), z = a + planar(c.branch);
        const Vec2 first = is_half_plane(c.key.i) ? p : a, last = is_half_plane(c.key.j) ? p : z;
        for_images(p, std::max(norm(p - first), norm(p - last)), [&](Vec2 s) {
          out_ += fmt::format(
              "<polyline points=\"{:.2f},{:.2f} {:.2f},{:.2f} {:.2f},{:.2f}\" stroke-width=\"{:.2f}\"/>\n",
              x(first.x + s.x), y(first.y + s.y), x(p.x + s.x), y(p.y + s.y), x(last.x + s.x), y(last.y + s.y), width);
        });
      }
      out_ += "</g>\n";
    }
  }

  void line(double x1, double y1, double x2, double y2, std::string_view more) {
    out_ += fmt::format("<line x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\" {}/>\n", x1, y1, x2, y2, more);
  }

  void draw_border() {
    constexpr std::string_view dashed = "stroke=\"#8a9099\" stroke-width=\"1\" stroke-dasharray=\"5 4\"";
    const double r = left + plot_width_, b = top + plot_height_;
    if (s_.cell.periodic[0]) line(left, top, left, b, dashed), line(r, top, r, b, dashed);
    if (s_.cell.periodic[upwards()]) line(left, top, r, top, dashed), line(left, b, r, b, dashed);
  }

  void text(double px, double py, double size, std::string_view anchor, std::string_view words,
            std::string_view more = "") {
    out_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{:.0f}\" text-anchor=\"{}\" {}>{}</text>\n", px,
                        py, size, anchor, more, escaped(words));
  }

  void draw_heading() {
    // A bold letter is about 0.66 of its size wide. A long title becomes smaller, and then shorter.
    const double room = (width_ - 2 * left) / 0.66;
    const double size = std::clamp(std::floor(room / double(letters_of(title_))), 12.0, 20.0);
    text(left, 36, size, "start", shortened(title_, std::size_t(room / size)), "font-weight=\"bold\"");
    text(left, 62, 15, "start",
         fmt::format("t = {:.4g} s     {}step {}{}", s_.time,
                     has_plates() ? fmt::format("strain = {:.4f}     ", view_.strain) : "", s_.step,
                     strays_ > 0 ? fmt::format("     not shown, far away: {}", strays_) : ""),
         "fill=\"#50565e\" xml:space=\"preserve\"");
  }

  void draw_colour_bar() {
    const double bar_x = left + plot_width_ + 26, bar_w = 18, bar_h = plot_height_;
    constexpr int strips = 64;
    out_ += "<g class=\"colour-bar\">\n";
    for (int k = 0; k < strips; ++k)
      out_ += fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\"/>\n", bar_x,
                          top + bar_h * (strips - 1 - k) / strips, bar_w, bar_h / strips + 0.5,
                          map_colour((k + 0.5) / strips, colour_.signed_values));
    out_ += fmt::format(
        "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"none\" stroke=\"{}\"/>\n", bar_x,
        top, bar_w, bar_h, ink);
    const std::vector<double> ticks = round_ticks(range_[0], range_[1]);
    for (const double tick : ticks) {
      const double py = top + bar_h * (1 - (tick - range_[0]) / (range_[1] - range_[0]));
      line(bar_x + bar_w, py, bar_x + bar_w + 5, py, fmt::format("stroke=\"{}\"", ink));
      text(bar_x + bar_w + 9, py + 4.5, 13, "start", tick_text(tick, ticks.size() > 1 ? ticks[1] - ticks[0] : 0));
    }
    const double lx = bar_x + bar_w + 72, ly = top + bar_h / 2;
    const std::string unit = colour_.unit.empty() ? "" : " (" + colour_.unit + ")";
    text(lx, ly, 14, "middle", colour_.label + unit, fmt::format("transform=\"rotate(-90 {:.1f} {:.1f})\"", lx, ly));
    out_ += "</g>\n";
  }

  void draw_scales() {
    const double length = round_below((high_.x - low_.x) / 5), py = top + plot_height_ + 28,
                 end = left + scale_ * length;
    out_ += fmt::format(
        "<g class=\"scale-bar\" stroke=\"{0}\" stroke-width=\"2\"><line x1=\"{1:.2f}\" y1=\"{2:.2f}\" x2=\"{3:.2f}\" "
        "y2=\"{2:.2f}\"/><line x1=\"{1:.2f}\" y1=\"{4:.2f}\" x2=\"{1:.2f}\" y2=\"{5:.2f}\"/><line x1=\"{3:.2f}\" "
        "y1=\"{4:.2f}\" x2=\"{3:.2f}\" y2=\"{5:.2f}\"/></g>\n",
        ink, left, py, end, py - 5, py + 5);
    text((left + end) / 2, py + 21, 13, "middle", fmt::format("{:g} m", length));
    if (s_.dimension == 3) text(end + 60, py + 5, 13, "start", "seen along y: x to the right, z upwards");
    if (!(largest_force_ > 0)) return;
    const double fx = end + 60;
    line(fx, py, fx + 46, py,
         fmt::format("stroke=\"{}\" stroke-opacity=\"0.85\" stroke-width=\"{:.2f}\" stroke-linecap=\"round\"",
                     force_colour, force_width_));
    text(fx + 62, py + 5, 13, "start",
         fmt::format("contact force {:.3g} N{}", largest_force_, tension_seen_ ? " (blue: tension)" : ""));
  }

  static constexpr const char* force_colour = "#15171a";
  static constexpr const char* tension_colour = "#0868ac";

  const AssemblyView& view_;
  const State& s_;
  std::string title_;
  BodyScalar colour_;
  std::vector<bool> is_stray_;
  std::size_t strays_ = 0;
  std::vector<PlacedSphere> spheres_;  // of an assembly in space, without strays
  Vec2 low_, high_;                    // window, m
  std::array<double, 2> range_{};
  double mean_radius_ = 0, scale_ = 1, plot_width_ = 0, plot_height_ = 0, width_ = 0, height_ = 0;
  double largest_force_ = 0, force_width_ = 0;
  bool tension_seen_ = false;
  std::string out_;
};

}  // namespace

std::string svg_frame(const AssemblyView& view, const std::string& title, std::string_view colour_by) {
  return Frame(view, title, body_scalar(view, colour_by)).draw();
}

}  // namespace dem
