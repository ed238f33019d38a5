/* Those of the playground. */
#include "fuzz/fuzz.h"

const struct fuzz_target fuzz_targets[] = {
    {"form", fuzz_form},
    {"formatted", fuzz_formatted},
    {"playground", fuzz_playground},
    {NULL, NULL},
};
