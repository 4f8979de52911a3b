// Independent tasks in processes of their own: results, failures, journal, resume, interruption.
#include "libdem/sweep/tasks.hpp"

#include <fcntl.h>

#include <chrono>
#include <thread>

#include "libdem/platform/text_file.hpp"
#include "tests/sweep/sweep_tools.hpp"

namespace {

TaskChoice in(const TemporaryFolder& folder, std::string fingerprint = "tasks of a test", int workers = 2) {
  return {.workers = workers, .journal = folder.path / "journal", .fingerprint = std::move(fingerprint)};
}

/// Each task leaves a letter in a file, so that the test knows which were worked out.
struct Counted {
  std::filesystem::path file;
  std::vector<double> operator()(std::size_t index, TaskProgress&) const {
    const int out = open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0666);
    const char letter = char('a' + index);
    if (write(out, &letter, 1) != 1) throw std::runtime_error("no file");
    close(out);
    return {double(index) / 3};
  }
};

/// The letters of all tasks that were worked out, in any order.
bool has_log(const TemporaryFolder& folder, std::string_view letters) {
  return std::ranges::is_permutation(read_file(folder.path / "log"), letters);
}

}  // namespace

BOOST_AUTO_TEST_CASE(results_arrive_by_index_whatever_the_number_of_workers) {
  const auto task = [](std::size_t k, TaskProgress& progress) {
    progress.done(0.5);
    if (k == 3) progress.remark = "a remark\twith a\nbreak";
    return std::vector<double>{double(k), 1.0 / 3, NAN, -INFINITY, std::numeric_limits<double>::denorm_min()};
  };
  for (const int workers : {1, 2, 5}) {
    TaskChoice choice;
    choice.workers = workers;
    const auto results = run_tasks(17, task, choice);
    BOOST_TEST_REQUIRE(results.size() == 17);
    for (std::size_t k = 0; k < 17; ++k) {
      BOOST_TEST(results[k].done);
      BOOST_TEST_REQUIRE(results[k].numbers.size() == 5);
      BOOST_TEST(results[k].numbers[0] == double(k));
      BOOST_TEST(std::isnan(results[k].numbers[2]));
      BOOST_TEST(results[k].numbers[3] == -INFINITY);
    }
    BOOST_TEST(results[3].message == "a remark\twith a\nbreak");
  }
  BOOST_TEST(run_tasks(0, [](std::size_t, TaskProgress&) { return std::vector<double>{}; }, {}).empty());
}

BOOST_AUTO_TEST_CASE(a_task_that_throws_crashes_or_is_killed_leaves_a_sentence_and_does_not_stop_the_others) {
  const auto fail = [](std::size_t k, TaskProgress&) -> std::vector<double> {
    if (k == 1) throw std::runtime_error("the reason");
    if (k == 2) std::abort();
    if (k == 3) kill(getpid(), SIGKILL);
    if (k == 4) throw 7;
    if (k == 5) {
      fprintf(stderr, "first\nlast words\n");
      _exit(9);
    }
    return {1};
  };
  const auto results = run_tasks(6, fail, {2, {}, "", "", {}});
  const char* messages[] = {"", "the reason", "Aborted", "killed by signal 9 (Killed)", "exception", "last words"};
  for (std::size_t k = 0; k < 6; ++k) {
    BOOST_TEST(results[k].done == (k == 0));
    BOOST_TEST(has(results[k].message, messages[k]), results[k].message);
  }
  BOOST_TEST(results[1].message == "the reason");
  BOOST_TEST(has(results[5].message, "ended with code 9"));
}

BOOST_FIXTURE_TEST_CASE(a_journal_brings_back_the_same_bits_and_nothing_is_done_twice, InTemporaryFolder) {
  const auto task = [&](std::size_t k, TaskProgress& progress) -> std::vector<double> {
    Counted{folder.path / "log"}(k, progress);
    if (k == 1) throw std::runtime_error("no\tgood\n\\ at all");
    if (k == 2) progress.remark = "but";
    return {0.1 * double(k), -0.0, NAN, INFINITY, 5e-324, 1.7976931348623157e308};
  };
  const auto first = run_tasks(4, task, in(folder)), second = run_tasks(4, task, in(folder));
  BOOST_TEST(has_log(folder, "abcd"));
  for (int k = 0; k < 4; ++k) {
    BOOST_TEST(first[k].done == second[k].done);
    BOOST_TEST(first[k].message == second[k].message);
    BOOST_TEST(first[k].seconds == second[k].seconds);
    BOOST_TEST(same_bits(first[k].numbers, second[k].numbers));
  }
  BOOST_TEST(second[1].message == "no\tgood\n\\ at all");
}

BOOST_FIXTURE_TEST_CASE(a_task_without_memory_or_file_or_killed_is_repeated_next_time_and_one_with_a_bad_file_is_not,
                        InTemporaryFolder) {
  const auto task = [&](std::size_t k, TaskProgress&) -> std::vector<double> {
    if (folder.holds("better")) return {1};
    if (k == 0) throw std::bad_alloc();
    if (k == 1) throw FileError("cannot read grains.csv: Stale file handle");
    if (k == 2) kill(getpid(), SIGTERM);
    throw ContentError("grains.csv:3: found x, wanted a number");
  };
  std::vector<std::size_t> kept;
  TaskChoice choice = in(folder);
  choice.when_kept = [&](std::size_t k) { kept.push_back(k); };
  const auto first = run_tasks(4, task, choice);
  BOOST_TEST(first[0].message == "there was not enough memory; it is repeated next time");
  BOOST_TEST(first[1].message == "cannot read grains.csv: Stale file handle; it is repeated next time");
  BOOST_TEST(first[2].message == "its process was killed by signal 15 (Terminated); it is repeated next time");
  BOOST_TEST(first[3].message == "grains.csv:3: found x, wanted a number");
  BOOST_TEST((kept == std::vector<std::size_t>{3}));
  write_file(folder.path / "better", "");
  const auto second = run_tasks(4, task, choice);
  for (std::size_t k = 0; k < 4; ++k) BOOST_TEST(second[k].done == (k < 3));
}

BOOST_FIXTURE_TEST_CASE(a_torn_line_is_dropped_and_its_task_done_again, InTemporaryFolder) {
  const Counted task{folder.path / "log"};
  const auto run_with = [&](const std::string& journal) {
    write_file(folder.path / "journal", journal, false);
    write_file(folder.path / "log", "", false);
    return run_tasks(3, task, in(folder, "f", 1));
  };
  run_tasks(3, task, in(folder, "f", 1));
  const std::string whole = read_file(folder.path / "journal");
  // Cut anywhere after the first line: whatever is left whole is kept.
  const std::size_t head = whole.find('\n') + 1;
  for (std::size_t length = 0; length < whole.size(); length += length < head ? 7 : 1) {
    const auto results = run_with(whole.substr(0, length));
    for (int k = 0; k < 3; ++k) BOOST_TEST(results[k].numbers.at(0) == k / 3.0);
    const std::string kept = length < head ? "" : whole.substr(head, length - head);
    const auto lines = std::count(kept.begin(), kept.end(), '\n');
    BOOST_TEST(read_file(folder.path / "log") == std::string("abc").substr(std::size_t(lines)));
  }
  // A line that is damaged in the middle of the file.
  std::string damaged = whole;
  damaged[head + 3] ^= 1;
  run_with(damaged);
  BOOST_TEST(read_file(folder.path / "log") == "a");
}

BOOST_FIXTURE_TEST_CASE(a_journal_of_other_tasks_is_refused_with_the_difference, InTemporaryFolder) {
  const Counted task{folder.path / "log"};
  run_tasks(2, task, in(folder, "grid\n  friction 0.5\nend"));
  const auto refused = [&](std::size_t count, std::string fingerprint, std::string part) {
    BOOST_CHECK_EXCEPTION(run_tasks(count, task, in(folder, fingerprint)), FileError, says(part));
  };
  refused(2, "grid\n  friction 0.6\nend", "there 'friction 0.5', here 'friction 0.6'");
  refused(3, "grid\n  friction 0.5\nend", "there 2 tasks, here 3");
  write_file(folder.path / "journal", "my diary\n", false);
  refused(2, "grid", "no journal");
  BOOST_TEST(read_file(folder.path / "journal") == "my diary\n");
}

BOOST_FIXTURE_TEST_CASE(the_longest_task_is_first, InTemporaryFolder) {
  TaskChoice choice;
  choice.workers = 1;
  choice.cost = {1, 5, 3, 5};
  run_tasks(4, Counted{folder.path / "log"}, choice);
  BOOST_TEST(read_file(folder.path / "log").substr(2) == "ca");
}

// The whole set in a process of its own, which is then killed.
BOOST_FIXTURE_TEST_CASE(a_second_process_is_refused_and_a_kill_of_the_first_loses_nothing_that_was_finished,
                        InTemporaryFolder) {
  const auto task = [&](std::size_t k, TaskProgress& progress) {
    if (k >= 2 && !folder.holds("go")) {
      write_file(folder.path / ("pid" + std::to_string(k)), std::to_string(getpid()), false);
      for (;;) pause();
    }
    return Counted{folder.path / "log"}(k, progress);
  };
  for (const int signal : {SIGKILL, SIGINT, SIGTERM}) {
    std::filesystem::remove_all(folder.path);
    std::filesystem::create_directories(folder.path);
    const pid_t pid = fork();
    if (pid == 0) {
      try {
        run_tasks(4, task, in(folder));
      } catch (const TasksInterrupted& interrupted) {
        _exit(has(interrupted.what(), "2 of 4 are done and kept") ? 4 : 1);
      } catch (...) {
      }
      _exit(1);
    }
    for (int k = 0; k < 1000 && !(folder.holds("pid2") && folder.holds("pid3")); ++k)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    BOOST_CHECK_EXCEPTION(run_tasks(4, task, in(folder)), FileError, says("in use by another process"));
    const int first = std::stoi(read_file(folder.path / "pid2")), second = std::stoi(read_file(folder.path / "pid3"));
    BOOST_TEST(kill(first, 0) == 0);
    const int status = end_of(pid, signal);
    if (signal != SIGKILL) BOOST_TEST((WIFEXITED(status) && WEXITSTATUS(status) == 4));
    // No worker outlives its parent. (One that is not yet collected by init still has its number.)
    const auto lives = [](int worker) {
      std::ifstream stream("/proc/" + std::to_string(worker) + "/stat");
      std::string line;
      return std::getline(stream, line) && line.find(") Z ") == std::string::npos;
    };
    for (int k = 0; k < 200 && (lives(first) || lives(second)); ++k)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    BOOST_TEST(!lives(first));
    BOOST_TEST(!lives(second));
    write_file(folder.path / "go", "", false);
    const auto results = run_tasks(4, task, in(folder));
    for (const TaskResult& result : results) BOOST_TEST(result.done);
    BOOST_TEST(has_log(folder, "abcd"));
  }
}
