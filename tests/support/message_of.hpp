// Messages of errors.
#pragma once
#include "prelude.hpp"

namespace dem::test {

/// The message of the error of this type that an action throws, empty if it throws none.
template <class Error, class Action>
std::string message_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace dem::test
