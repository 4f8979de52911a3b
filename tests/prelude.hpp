// Boost.Test, the standard library and short names, for all tests. Names of the library and of the helpers of tests
// need no prefix. The build reads these headers once: that halves the time to compile the tests.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <numbers>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "libdem/case.hpp"

namespace dem::test {}
namespace tt = boost::test_tools;
using namespace dem;
using namespace dem::test;
using std::numbers::pi;
using tt::tolerance;
