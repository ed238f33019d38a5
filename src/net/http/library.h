#ifndef NET_HTTP_LIBRARY_H
#define NET_HTTP_LIBRARY_H
/* Checks at startup that the libcurl found at run time is recent enough; it may differ from the one at
 * build time. */

struct error;

/* The minimum version in configure.ac, in libcurl's notation: 7.88.0. */
#define HTTP_LIBRARY_MIN 0x075800

/* Returns 0, or -1 with an error that says what the library lacks and what to do. */
int http_library_check(struct error *err);
/* The same for a library of that version (0xXXYYZZ) with those features (bits from curl_version_info).
 * text: the version for people. */
int http_library_judge(unsigned version, int features, const char *text, struct error *err);

#endif
