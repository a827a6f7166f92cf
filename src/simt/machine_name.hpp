#pragma once

// ASSAY_MACHINE names the build of a translation unit (host, checked, device, a mutant's own) and the inline namespace
// that keeps it apart from the others.

#if !defined(ASSAY_MACHINE)
#if defined(__CUDACC__)
#define ASSAY_MACHINE device
#else
#define ASSAY_MACHINE host
#endif
#endif
