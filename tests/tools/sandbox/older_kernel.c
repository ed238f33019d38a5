/* Landlock as before Linux 6.12: without scopes. */
#define LANDLOCK_NEWEST 5
#include "helpers/sandbox/landlock.c"
