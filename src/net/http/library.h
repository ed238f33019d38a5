#ifndef NET_HTTP_LIBRARY_H
#define NET_HTTP_LIBRARY_H
/* Is the libcurl that runs one that we can do with? It is found when the program starts, and need not be the
 * one that it was built with. */

struct error;

/* The version that configure.ac demands, as libcurl writes it: 7.88.0. */
#define HTTP_LIBRARY_MIN 0x075800

/* 0; -1 with a sentence that says what it lacks and what to do. */
int http_library_check(struct error *err);
/* The same of a library of that version (0xXXYYZZ) and with those features (bits, as curl_version_info tells
 * them). text: as people write the version. */
int http_library_judge(unsigned version, int features, const char *text, struct error *err);

#endif
