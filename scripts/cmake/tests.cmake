# ctest: one test a law, listed by the test program itself after it is linked; and the tests of scripts and reports.
add_executable(assay_tests properties/ctest_main.cpp)
target_link_libraries(assay_tests PRIVATE assay::properties GTest::gtest)

set(ASSAY_TEST_LIST ${PROJECT_BINARY_DIR}/law_tests.cmake)
add_custom_command(
  TARGET assay_tests POST_BUILD
  COMMAND assay_tests --ctest ${ASSAY_TEST_LIST}
  BYPRODUCTS ${ASSAY_TEST_LIST}
  VERBATIM)
set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY TEST_INCLUDE_FILES ${ASSAY_TEST_LIST})
