#ifndef BASE_BANNED_H
#define BASE_BANNED_H
/*
 * Makes functions that overflow, keep hidden state or depend on the locale fail to compile. The build
 * includes this file before every source, so definitions that must precede the first system header stand
 * here too.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BANNED(fn) banned_##fn##_see_base_banned_h

#undef strcpy
#define strcpy(d, s) BANNED(strcpy)
#undef strcat
#define strcat(d, s) BANNED(strcat)
#undef strncpy
#define strncpy(d, s, n) BANNED(strncpy)
#undef strncat
#define strncat(d, s, n) BANNED(strncat)
#undef sprintf
#define sprintf(...) BANNED(sprintf)
#undef vsprintf
#define vsprintf(...) BANNED(vsprintf)
#undef strtok
#define strtok(s, d) BANNED(strtok)
#undef gmtime
#define gmtime(t) BANNED(gmtime)
#undef localtime
#define localtime(t) BANNED(localtime)
#undef ctime
#define ctime(t) BANNED(ctime)
#undef asctime
#define asctime(t) BANNED(asctime)
#undef atoi
#define atoi(s) BANNED(atoi)
#undef atol
#define atol(s) BANNED(atol)
#undef atoll
#define atoll(s) BANNED(atoll)
#undef atof
#define atof(s) BANNED(atof)
/* Randomness comes from base/clock. */
#undef rand
#define rand() BANNED(rand)
#undef srand
#define srand(seed) BANNED(srand)
/* json-c 0.16 reads and writes numbers with the locale's decimal point. */
#undef setlocale
#define setlocale(category, locale) BANNED(setlocale)

#endif
