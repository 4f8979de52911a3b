// Headers that most tests include. The build reads them once, which halves the time to compile the tests.
#pragma once
#include <fmt/format.h>

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <variant>
#include <vector>

#include "libdem/case.hpp"
