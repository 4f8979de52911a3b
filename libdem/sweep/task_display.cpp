#include "libdem/sweep/task_display.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>

namespace dem {
namespace {

double seconds_between(std::chrono::steady_clock::time_point a, std::chrono::steady_clock::time_point b) {
  return std::chrono::duration<double>(b - a).count();
}

std::size_t terminal_width() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col : 100;
}

/// Work goes on even if standard error cannot be written.
void write(const std::string& text) {
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace

std::string duration_text(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s", seconds);
  if (seconds < 5400) return fmt::format("{:.0f} min", seconds / 60);
  if (seconds < 48 * 3600) return fmt::format("{:.1f} h", seconds / 3600);
  return fmt::format("{:.1f} days", seconds / 86400);
}

TaskDisplay::TaskDisplay(std::string title, std::size_t count, std::size_t kept)
    : title_(std::move(title)),
      count_(count),
      kept_(kept),
      terminal_(isatty(STDERR_FILENO) != 0),
      start_(Clock::now()),
      last_(start_) {
  if (!title_.empty() && kept_ > 0 && kept_ < count_)
    write(fmt::format("{}: {} of {} are done already, going on\n", title_, kept_, count_));
}

TaskDisplay::~TaskDisplay() {
  if (open_) write("\n");
}

void TaskDisplay::print(const std::string& text) {
  write(terminal_ ? fmt::format("\r{}\x1b[K", text.substr(0, terminal_width() - 1)) : text + "\n");
  open_ = terminal_;
}

void TaskDisplay::show(double share, std::size_t done, std::size_t running, std::size_t failed) {
  const auto now = Clock::now();
  if (title_.empty() || seconds_between(last_, now) < (terminal_ ? 0.2 : 30)) return;
  last_ = now;
  const double elapsed = seconds_between(start_, now);
  std::string text = fmt::format("{}: {:.1f} %, {} of {} done, {} running", title_, 100 * share, done, count_, running);
  if (failed > 0) text += fmt::format(", {} failed", failed);
  if (share > 0 && elapsed > 1) text += fmt::format(", about {} to go", duration_text(elapsed * (1 - share) / share));
  print(text);
}

void TaskDisplay::finish(std::size_t failed) {
  if (title_.empty()) return;
  std::string text = fmt::format("{}: {} done", title_, count_);
  if (failed > 0) text += fmt::format(", {} of them failed", failed);
  text +=
      kept_ == count_ ? ", all earlier" : fmt::format(" in {}", duration_text(seconds_between(start_, Clock::now())));
  if (kept_ > 0 && kept_ < count_) text += fmt::format(", {} of them earlier", kept_);
  print(text);
  if (open_) write("\n");
  open_ = false;
}

}  // namespace dem
