#define BOOST_TEST_MODULE libdem
#include <boost/test/unit_test.hpp>
