#include "apps/out_of_memory.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>

#include "apps/subcommands.hpp"

namespace dem {
namespace {

bool main_returns = false;

/// Must not allocate memory.
void write_to_stderr(const char* text) {
  const char* start = "dem: ";
  if (write(STDERR_FILENO, start, std::strlen(start)) < 0 || write(STDERR_FILENO, text, std::strlen(text)) < 0 ||
      write(STDERR_FILENO, "\n", 1) < 0)
    return;
}

[[noreturn]] void leave() {
  std::fflush(stdout);
  _exit(exit_failed);
}

/// Handles an exception that was not caught.
[[noreturn]] void on_terminate() {
  const char* said = "internal error: an exception that was not caught";
  try {
    if (std::current_exception()) throw;
  } catch (const std::bad_alloc&) {
    said = "out of memory";
  } catch (const std::exception& error) {
    write_to_stderr(error.what());
    leave();
  } catch (...) {
  }
  write_to_stderr(said);
  leave();
}

/// Without memory, HDF5 calls exit without a message.
void on_exit_of_a_library() {
  if (main_returns) return;
  write_to_stderr("out of memory: another library ended the program");
  leave();
}

extern "C" void on_full_stack(int) {
  write_to_stderr("out of memory: there is no room for the stack");
  _exit(exit_failed);
}

/// Reserves room for the stack now. Without room later, a signal would kill the program.
[[gnu::noinline]] char touch_stack(std::size_t bytes) {
  constexpr std::size_t piece = 1 << 12;
  volatile char room[piece];
  room[0] = 1;
  const char below = bytes > piece ? touch_stack(bytes - piece) : char(0);
  return char(room[0] + below);  // read after the call, so that each call keeps its piece
}

void take_stack() {
  alignas(16) static std::array<char, 1 << 15> other_stack;
  stack_t stack{}, stack_before{};
  stack.ss_sp = other_stack.data();
  stack.ss_size = other_stack.size();
  struct sigaction action {
  }, before{};
  action.sa_handler = on_full_stack;
  action.sa_flags = int(SA_ONSTACK);
  sigaltstack(&stack, &stack_before);
  sigaction(SIGSEGV, &action, &before);
  rlimit limit{};
  const std::size_t most =
      getrlimit(RLIMIT_STACK, &limit) == 0 ? std::size_t(std::min<rlim_t>(limit.rlim_cur / 4, 1 << 19)) : 0;
  if (most > 0) touch_stack(most);
  sigaction(SIGSEGV, &before, nullptr);
  stack_before.ss_flags |= SS_DISABLE;
  sigaltstack(&stack_before, nullptr);
}

/// Runs before the constructors of all objects, also those of libraries.
void prepare(int, char**, char**) {
  std::set_terminate(on_terminate);
  std::atexit(on_exit_of_a_library);
  take_stack();
}
[[gnu::section(".preinit_array"), gnu::used]] void (*const before_all)(int, char**, char**) = prepare;

}  // namespace

void note_that_main_returns() { main_returns = true; }

}  // namespace dem
