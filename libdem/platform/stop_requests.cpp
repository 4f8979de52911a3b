#include "libdem/platform/stop_requests.hpp"

namespace dem {
namespace {

StopRequests requests;

/// The second request ends the program at once.
extern "C" void note_signal(int signal) {
  requests.note();
  if (requests.count() < 2) return;
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace

void stop_on_signals() {
  struct sigaction action {};
  action.sa_handler = note_signal;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  struct sigaction hangup {};
  sigaction(SIGHUP, nullptr, &hangup);
  if (hangup.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);  // nohup ignores it
}

bool is_stopped() { return requests.count() > 0; }

void ask_to_stop() { requests.note(); }

}  // namespace dem
