#include <X11/Xlib.h>
#include <X11/extensions/XTest.h>

// The runtime of LLVM's coverage counters, which is linked into programs that are built with them.
void __llvm_profile_reset_counters(void);
void __llvm_profile_set_filename(const char *name);
int __llvm_profile_write_file(void);
