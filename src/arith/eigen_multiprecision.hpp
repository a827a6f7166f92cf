#pragma once

#include <Eigen/Core>
#include <type_traits>

#include <boost/version.hpp>

// Boost before 1.79 takes an Eigen expression for a container of bytes and does not compile (boostorg/multiprecision
// issue 393, fixed by its pull request 398).
#if BOOST_VERSION < 107900
#include <boost/multiprecision/traits/is_byte_container.hpp>

namespace boost::multiprecision::detail {
template <class C>
requires std::is_base_of_v<Eigen::EigenBase<C>, C>
struct is_byte_container<C> : boost::false_type {
};
}  // namespace boost::multiprecision::detail
#endif

#include <boost/multiprecision/eigen.hpp>

#include "arith/eigen_support.hpp"
