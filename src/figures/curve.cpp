// Part of limen. SPDX-License-Identifier: MIT
#include "figures/curve.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace limen::figures {
namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double eye = 2e-4;  // a share of the picture's height that nobody sees, in print neither

double value(const Curve& curve, double x) {
  const double y = curve.at(x).value_or(nothing);
  return std::isfinite(y) ? y : nothing;
}

std::vector<double> sorted_inside(std::vector<double> points, double from, double to) {
  std::erase_if(points, [&](double x) { return !(x > from && x < to); });
  points.insert(points.end(), {from, to});
  std::ranges::sort(points);
  points.erase(std::unique(points.begin(), points.end()), points.end());
  return points;
}

/// Draws one piece after another, from the left.
class Drawing {
 public:
  Drawing(const Curve& curve, double from, double to)
      : curve_(curve), ends_(sorted_inside(curve.breaks, from, to)), marks_(ends_) {
    constexpr int least_points = 48;
    marks_.insert(marks_.end(), curve.guides.begin(), curve.guides.end());
    for (int i = 1; i < least_points; ++i) marks_.push_back(from + i * (to - from) / least_points);
    marks_ = sorted_inside(marks_, from, to);
    double low = infinity, high = -infinity;
    for (const double x : marks_)
      if (const double y = value(curve, x); y == y) low = std::min(low, y), high = std::max(high, y);
    height_ = high > low ? high - low : 1;
  }

  std::vector<Stroke> strokes() {
    for (std::size_t i = 0; i + 1 < ends_.size(); ++i) draw_piece(ends_[i], ends_[i + 1]);
    std::erase_if(strokes_, [](const Stroke& stroke) { return stroke.size() < 2; });
    for (Stroke& stroke : strokes_) drop_straight(stroke);
    return std::move(strokes_);
  }

 private:
  /// Between two breaks, whose values are those seen from inside.
  void draw_piece(double from, double to) {
    Point last{from, value(curve_, std::nextafter(from, to))};
    add(last);
    for (auto mark = std::ranges::upper_bound(marks_, from); mark != marks_.end() && *mark <= to; ++mark) {
      const Point next{*mark, value(curve_, *mark < to ? *mark : std::nextafter(to, from))};
      refine(last, next, 12);
      add(next);
      last = next;
    }
  }
  /// What lies between two points, halved until it is straight or its gap is narrow.
  void refine(Point a, Point b, int depth) {
    if (depth == 0 || (std::isnan(a.y) && std::isnan(b.y))) return;
    const Point middle{(a.x + b.x) / 2, value(curve_, (a.x + b.x) / 2)};
    if (std::abs(middle.y - (a.y + b.y) / 2) <= eye * height_) return;
    refine(a, middle, depth - 1);
    add(middle);
    refine(middle, b, depth - 1);
  }
  void add(Point point) {
    if (std::isnan(point.y)) {
      pen_down_ = false;
      return;
    }
    const bool on_break = pen_down_ && strokes_.back().back().x == point.x;
    if (on_break && std::abs(strokes_.back().back().y - point.y) <= 1e-9 * height_) return;
    if (!pen_down_ || on_break) strokes_.emplace_back();
    strokes_.back().push_back(point);
    pen_down_ = true;
  }
  /// Drops points that nobody misses: each lies on the line between those that stay, as near as an eye can tell.
  void drop_straight(Stroke& stroke) const {
    Stroke kept{stroke.front()};
    std::size_t last = 0;
    const auto misses = [&](std::size_t between, std::size_t next) {
      const Point a = stroke[last], b = stroke[next], p = stroke[between];
      return std::abs(p.y - (a.y + (b.y - a.y) * (p.x - a.x) / (b.x - a.x))) > eye * height_;
    };
    for (std::size_t i = 1; i + 1 < stroke.size(); ++i)
      for (std::size_t j = last + 1; j <= i; ++j)
        if (misses(j, i + 1)) {
          kept.push_back(stroke[last = i]);
          break;
        }
    kept.push_back(stroke.back());
    stroke = std::move(kept);
  }

  const Curve& curve_;
  std::vector<double> ends_, marks_;
  double height_ = 1;
  std::vector<Stroke> strokes_;
  bool pen_down_ = false;
};

}  // namespace

std::vector<Stroke> strokes(const Curve& curve, double from, double to) { return Drawing(curve, from, to).strokes(); }

}  // namespace limen::figures
