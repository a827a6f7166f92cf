# assay_approximate_tables(LAYER): builds the tables of src/simt/approximate into the layer.
function(assay_approximate_tables layer)
  set(folder ${PROJECT_SOURCE_DIR}/src/simt/approximate)
  file(GLOB tables CONFIGURE_DEPENDS ${folder}/*.xz)
  set_source_files_properties(${folder}/files.cpp PROPERTIES COMPILE_DEFINITIONS ASSAY_TABLES="${folder}"
                                                             OBJECT_DEPENDS "${tables}")
endfunction()
