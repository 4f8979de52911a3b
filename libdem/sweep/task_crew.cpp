#include "libdem/sweep/task_crew.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>

#include "libdem/platform/stop_requests.hpp"
#include "libdem/sweep/task_journal.hpp"

namespace dem {
namespace {

volatile std::sig_atomic_t stop_signal = 0;
StopRequests interrupts;
extern "C" void note_stop(int signal) {
  stop_signal = signal;
  if (signal == SIGINT) interrupts.note();
}

constexpr std::array stop_signals{SIGINT, SIGTERM, SIGHUP};

TaskLine worked_out(const Task& task, std::size_t index, TaskProgress progress) {
  TaskLine line{index, "failed", {}};
  TaskResult& result = line.result;
  try {
    result.numbers = task(index, progress);
    line.word = "done";
    result.message = progress.remark;
  } catch (const TaskStopped& stop) {
    line.word = "stopped";
    result.message = stop.what();
  } catch (const std::bad_alloc&) {
    line.word = "lost";
    result.message = "there was not enough memory";
  } catch (const ContentError& error) {
    result.message = error.what();
  } catch (const FileError& error) {
    line.word = "lost";
    result.message = error.what();
  } catch (const std::exception& error) {
    result.message = error.what();
    if (result.message.empty()) result.message = "failed without a message";
  } catch (...) {
    result.message = "failed with an exception of unknown kind";
  }
  result.inputs = progress.inputs;
  timespec cpu{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
  result.seconds = double(cpu.tv_sec) + 1e-9 * double(cpu.tv_nsec);
  return line;
}

/// The life of a task's process. `errors` receives its standard error.
[[noreturn]] void live(const Task& task, std::size_t index, const TaskProgress& progress, Stops how, int pipe_end,
                       int errors, pid_t parent, const sigset_t& mask) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  // Handlers of the caller must not run here: those of a test program would jump back into its own tests.
  for (int signal = 1; signal < NSIG; ++signal)
    if (signal != SIGKILL && signal != SIGSTOP) std::signal(signal, SIG_DFL);
  std::signal(SIGINT, SIG_IGN);  // Ctrl-C reaches the whole group; the parent decides
  std::signal(SIGHUP, SIG_IGN);
  if (how == Stops::by_itself) std::signal(SIGTERM, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);  // without a parent this process ends
  sigprocmask(SIG_SETMASK, &mask, nullptr);
  // Output of tasks must not get into the progress display. The files of the parent are closed here, because a lock of
  // the parent must end with the parent.
  const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  dup2(nothing, STDIN_FILENO);
  dup2(nothing, STDOUT_FILENO);
  dup2(errors >= 0 ? errors : nothing, STDERR_FILENO);
  const int out = STDERR_FILENO + 1;
  if (pipe_end != out) dup2(pipe_end, out);
  close_range(unsigned(out) + 1, ~0u, 0);

  const std::string reply = worked_out(task, index, progress).text();
  for (std::size_t sent = 0; sent < reply.size();) {
    const ssize_t n = ::write(out, reply.data() + sent, reply.size() - sent);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) _exit(1);
    sent += std::size_t(n);
  }
  _exit(0);  // no destructors and no flush: these belong to the parent
}

/// The last line of a process on standard error.
std::string last_words(int errors) {
  if (errors < 0) return "";
  char block[512];
  const off_t size = lseek(errors, 0, SEEK_END);
  const ssize_t n = pread(errors, block, sizeof block, std::max<off_t>(0, size - off_t(sizeof block)));
  std::string text(block, n > 0 ? std::size_t(n) : 0);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.pop_back();
  if (const auto line = text.rfind('\n'); line != std::string::npos) text.erase(0, line + 1);
  return text;
}

std::string end_of(int status, int errors) {
  const std::string said = last_words(errors);
  const std::string also = said.empty() ? "" : "; its last words: " + said;
  if (!WIFSIGNALED(status)) return fmt::format("its process ended with code {}{}", WEXITSTATUS(status), also);
  const int signal = WTERMSIG(status);
  return fmt::format("its process was killed by signal {} ({}){}{}", signal, strsignal(signal),
                     signal == SIGKILL ? ", from outside or for want of memory" : "", also);
}

}  // namespace

StopWatch::StopWatch() {
  stop_signal = 0;
  interrupts.forget();
  for (std::size_t k = 0; k < stop_signals.size(); ++k) {
    sigaction(stop_signals[k], nullptr, &old_[k]);
    if (old_[k].sa_handler == SIG_IGN) continue;
    struct sigaction action {};
    action.sa_handler = note_stop;
    sigaction(stop_signals[k], &action, nullptr);
  }
}

StopWatch::~StopWatch() {
  for (std::size_t k = 0; k < stop_signals.size(); ++k) sigaction(stop_signals[k], &old_[k], nullptr);
}

bool StopWatch::is_stopped() { return stop_signal != 0; }
bool StopWatch::is_impatient() { return interrupts.count() > 1; }

Crew::Crew(const Task& task, std::size_t count, Stops how) : task_(task), count_(count), how_(how) {
  void* memory = mmap(nullptr, (count + 1) * sizeof(double), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::runtime_error("no shared memory for the progress of tasks");
  shares_ = static_cast<volatile double*>(memory);
}

Crew::~Crew() {
  for (const Worker& worker : workers_) kill(worker.pid, SIGKILL);
  for (const Worker& worker : workers_) collect(worker);
  munmap(const_cast<double*>(shares_), (count_ + 1) * sizeof(double));
}

double Crew::share(std::size_t index) const { return std::clamp(double(shares_[index]), 0.0, 1.0); }

bool Crew::start(std::size_t index) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return false;
  const int errors = memfd_create("task", MFD_CLOEXEC);
  sigset_t stops, before;
  sigemptyset(&stops);
  for (const int signal : stop_signals) sigaddset(&stops, signal);
  sigprocmask(SIG_BLOCK, &stops, &before);  // no handler of the parent may run in the child
  const pid_t parent = getpid(), pid = fork();
  if (pid == 0)
    live(task_, index, TaskProgress(shares_ + index, shares_ + count_), how_, ends[1], errors, parent, before);
  sigprocmask(SIG_SETMASK, &before, nullptr);
  close(ends[1]);
  if (pid < 0) {
    close(ends[0]);
    if (errors >= 0) close(errors);
    return false;
  }
  workers_.push_back({index, pid, ends[0], errors, {}});
  return true;
}

std::optional<Crew::Ended> Crew::wait(int milliseconds) {
  std::vector<pollfd> ends;
  for (const Worker& worker : workers_) ends.push_back({worker.reply, POLLIN, 0});
  if (poll(ends.data(), ends.size(), milliseconds) <= 0) return std::nullopt;
  for (std::size_t k = 0; k < workers_.size(); ++k) {
    if (ends[k].revents == 0) continue;
    Worker& worker = workers_[k];
    char block[1 << 14];
    const ssize_t n = read(worker.reply, block, sizeof block);
    if (n < 0) continue;
    worker.bytes.append(block, std::size_t(n));
    if (n > 0) continue;
    const Worker ended = std::move(worker);
    workers_.erase(workers_.begin() + std::ptrdiff_t(k));
    const int status = collect(ended, false);
    std::optional<TaskLine> line = TaskLine::read(ended.bytes);
    if (!line) line = TaskLine{ended.index, "lost", {false, end_of(status, ended.errors), {}}};
    if (ended.errors >= 0) close(ended.errors);
    const End end = line->word == "lost" ? End::lost : line->word == "stopped" ? End::stopped : End::by_itself;
    return Ended{ended.index, std::move(line->result), end};
  }
  return std::nullopt;
}

int Crew::collect(const Worker& worker, bool all) {
  int status = 0;
  while (waitpid(worker.pid, &status, 0) < 0 && errno == EINTR) {
  }
  close(worker.reply);
  if (all && worker.errors >= 0) close(worker.errors);
  return status;
}

}  // namespace dem
