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

add_test(NAME scripts.includes_go_one_way COMMAND ${ASSAY_PYTHON} ${PROJECT_SOURCE_DIR}/scripts/check_layers.py)
add_test(NAME scripts.every_reference_has_its_key COMMAND ${ASSAY_PYTHON} ${PROJECT_SOURCE_DIR}/scripts/check_references.py)
add_test(NAME reports.the_page_says_what_the_records_say COMMAND ${ASSAY_PYTHON} ${PROJECT_SOURCE_DIR}/reports/test_reports.py)
add_test(NAME scripts.checks_find_planted_faults COMMAND ${ASSAY_PYTHON} ${PROJECT_SOURCE_DIR}/scripts/test_checks.py)
set_tests_properties(scripts.includes_go_one_way scripts.every_reference_has_its_key scripts.checks_find_planted_faults PROPERTIES LABELS "smoke;full")
set_tests_properties(reports.the_page_says_what_the_records_say PROPERTIES LABELS "full" TIMEOUT 900)
add_test(NAME scripts.readme_shows_real_runs
         COMMAND ${ASSAY_PYTHON} ${PROJECT_SOURCE_DIR}/scripts/readme.py $<TARGET_FILE:assay> --check)
set_tests_properties(scripts.readme_shows_real_runs PROPERTIES LABELS "full")
add_test(NAME scripts.kernels_from_elsewhere_are_judged
         COMMAND ${ASSAY_PYTHON} ${PROJECT_SOURCE_DIR}/scripts/test_exchange.py $<TARGET_FILE:assay>)
set_tests_properties(scripts.kernels_from_elsewhere_are_judged PROPERTIES LABELS "full")
add_test(NAME scripts.bad_usage_gives_one_clear_line
         COMMAND ${ASSAY_PYTHON} ${PROJECT_SOURCE_DIR}/scripts/test_command_line.py $<TARGET_FILE:assay>)
set_tests_properties(scripts.bad_usage_gives_one_clear_line PROPERTIES LABELS "smoke;full")
