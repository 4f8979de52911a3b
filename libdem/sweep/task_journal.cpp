#include "libdem/sweep/task_journal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/algorithm/string/split.hpp>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <thread>

#include "libdem/platform/text_file.hpp"

namespace dem {
namespace {

constexpr std::string_view magic = "libdem tasks 2";
constexpr char field_end = '\t';

/// The text on one line and without field ends.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto at = std::string_view("\\\n\r\t").find(c);
    out += at == std::string_view::npos ? std::string(1, c) : std::string{'\\', "\\nrt"[at]};
  }
  return out;
}

std::string plain(std::string_view text) {
  std::string out;
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (text[k] != '\\' || k + 1 == text.size()) {
      out += text[k];
      continue;
    }
    const char c = text[++k];
    out += c == 'n' ? '\n' : c == 'r' ? '\r' : c == 't' ? field_end : c;
  }
  return out;
}

std::string sealed(std::string_view text) { return fmt::format("{}{}{:016x}\n", text, field_end, fnv1a(text)); }

/// The line without its checksum. Empty where the checksum is wrong.
std::optional<std::string_view> unsealed(std::string_view line) {
  const auto at = line.rfind(field_end);
  if (at == std::string_view::npos || line.substr(at + 1) != fmt::format("{:016x}", fnv1a(line.substr(0, at))))
    return std::nullopt;
  return line.substr(0, at);
}

std::vector<std::string> split(std::string_view text, char end) {
  std::vector<std::string> parts;
  return boost::split(parts, text, [end](char c) { return c == end; });
}

[[noreturn]] void refuse_to_write(const std::filesystem::path& file, int error) {
  throw FileError(fmt::format("cannot write {}: {}", file.string(), std::strerror(error)));
}

/// The first line in which two fingerprints differ.
std::string difference(std::string_view kept, std::string_view now) {
  const auto a = split(kept, '\n'), b = split(now, '\n');
  std::size_t k = 0;
  while (k < a.size() && k < b.size() && a[k] == b[k]) ++k;
  const auto shown = [&](const auto& lines) {
    if (k >= lines.size()) return std::string("nothing");
    const std::string line = lines[k].substr(std::min(lines[k].find_first_not_of(' '), lines[k].size()));
    if (line.empty()) return std::string("nothing");
    return line.size() > 90 ? fmt::format("'{}...'", line.substr(0, 87)) : fmt::format("'{}'", line);
  };
  return fmt::format("there {}, here {}", shown(a), shown(b));
}

std::string head_of(std::string_view fingerprint, std::size_t count) {
  return fmt::format("{}{}{}{}{}", magic, field_end, count, field_end, escaped(fingerprint));
}

/// Reads the whole lines of a journal. Returns their length, which is 0 for a new journal, or one that was torn before
/// any result was kept.
std::size_t take(JournalContent& content, std::string_view text, const std::filesystem::path& file,
                 std::string_view fingerprint) {
  const std::size_t count = content.results.size();
  const std::string head = head_of(fingerprint, count);
  const auto first_end = text.find('\n');
  if (first_end == std::string::npos) {
    if (!text.empty() && !sealed(head).starts_with(text) && !text.starts_with(magic))
      throw FileError(fmt::format("{} is no journal of tasks; choose another folder", file.string()));
    return 0;
  }
  const auto first = unsealed(text.substr(0, first_end));
  if (!first || !first->starts_with(magic))
    throw FileError(fmt::format("{} is no journal of tasks, or damaged; choose another folder", file.string()));
  if (*first != head) {
    const auto parts = split(*first, field_end);
    const std::string kept = parts.size() == 3 ? plain(parts[2]) : "";
    throw OtherTasks(fmt::format(
        "{} holds results of something else, which are not mixed with these: {}; choose another folder", file.string(),
        kept != fingerprint ? difference(kept, fingerprint)
                            : fmt::format("there {} tasks, here {}", parts.size() == 3 ? parts[1] : "other", count)));
  }
  std::size_t length = first_end + 1;
  for (std::size_t begin = length, end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    length = end + 1;
    std::optional<TaskLine> line = TaskLine::read(text.substr(begin, end + 1 - begin));
    if (!line || line->index >= count) continue;
    const bool lost = line->word == "lost";
    if (lost) content.lost[line->index] = line->result.message;
    content.results[line->index] = lost ? TaskResult{} : std::move(line->result);
    content.kept[line->index] = !lost;
  }
  return length;
}

}  // namespace

// The fields are index, word, seconds, numbers, message and inputs.
std::string TaskLine::text() const {
  return sealed(fmt::format("{1}{0}{2}{0}{3}{0}{4}{0}{5}{0}{6}", field_end, index, word, result.seconds,
                            fmt::join(result.numbers, " "), escaped(result.message), escaped(result.inputs)));
}

std::optional<TaskLine> TaskLine::read(std::string_view line) {
  const auto text = unsealed(line.substr(0, line.find('\n')));
  const auto parts = split(text.value_or(""), field_end);
  if (parts.size() != 6) return std::nullopt;
  // Numbers are written with enough digits to restore the same bits. nan and inf have these names.
  const auto number_of = [](const std::string& number) { return std::strtod(number.c_str(), nullptr); };
  TaskLine all{std::strtoull(parts[0].c_str(), nullptr, 10), parts[1], {}};
  all.result = {all.word == "done", plain(parts[4]), {}, number_of(parts[2]), plain(parts[5])};
  if (!parts[3].empty())
    std::ranges::transform(split(parts[3], ' '), std::back_inserter(all.result.numbers), number_of);
  return all;
}

JournalContent read_journal(const std::filesystem::path& file, std::string_view fingerprint, std::size_t count) {
  JournalContent content(count);
  take(content, read_file(file), file, fingerprint);
  return content;
}

TaskJournal::TaskJournal(const std::filesystem::path& file, std::string_view fingerprint, std::size_t count)
    : file_(file), content_(count) {
  if (file.has_parent_path()) create_folder(file.parent_path());
  descriptor_ = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) refuse_to_write(file, errno);
  try {
    // Workers of a killed process end a moment after it.
    for (int attempt = 0; flock(descriptor_, LOCK_EX | LOCK_NB) != 0; ++attempt) {
      if (errno != EWOULDBLOCK && errno != EINTR) break;  // no locks on this file system
      if (attempt == 20)
        throw FileError(fmt::format("{} is in use by another process; wait for it or stop it", file.string()));
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    read(fingerprint, count);
  } catch (...) {
    close(descriptor_);
    throw;
  }
}

TaskJournal::~TaskJournal() {
  fdatasync(descriptor_);
  close(descriptor_);
}

void TaskJournal::read(std::string_view fingerprint, std::size_t count) {
  const std::string text = read_file(file_);
  length_ = take(content_, text, file_, fingerprint);
  if (length_ < text.size() && ftruncate(descriptor_, off_t(length_)) != 0) refuse_to_write(file_, errno);
  if (length_ == 0) write_line(sealed(head_of(fingerprint, count)));
}

void TaskJournal::append(std::size_t index, const TaskResult& result) {
  write_line(TaskLine{index, result.done ? "done" : "failed", result}.text());
}

void TaskJournal::append_lost(std::size_t index, const std::string& why) {
  write_line(TaskLine{index, "lost", {false, why, {}}}.text());
}

void TaskJournal::write_line(std::string_view line) {
  struct stat status {};
  if (fstat(descriptor_, &status) == 0 && status.st_nlink == 0)
    throw FileError(
        fmt::format("cannot write {}: found it removed, expected it to stay until the end", file_.string()));
  for (std::size_t done = 0; done < line.size();) {
    const ssize_t n = pwrite(descriptor_, line.data() + done, line.size() - done, off_t(length_ + done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      const int error = errno;
      if (ftruncate(descriptor_, off_t(length_)) != 0) {
      }  // the checksum reveals a torn line as well
      refuse_to_write(file_, error);
    }
    done += std::size_t(n);
  }
  length_ += line.size();
  const auto now = std::chrono::steady_clock::now();
  if (now - last_sync_ > std::chrono::seconds(10)) {  // against a power cut; a killed process loses nothing
    fdatasync(descriptor_);
    last_sync_ = now;
  }
}

}  // namespace dem
