#ifndef TESTS_FLOW_OPS_EXPOSITION_H
#define TESTS_FLOW_OPS_EXPOSITION_H
/*
 * Prometheus' text format 0.0.4, read strictly: every series has HELP and TYPE once and before it, its lines
 * stand together, none comes twice, labels are escaped, values are numbers, counters end in _total, buckets
 * grow up to +Inf, which is _count.
 */

/* Fails the test with the line that is wrong. */
void exposition_check(const char *text);
/* The value of a series, written as it stands there with its labels; fails the test when there is none. */
double exposition_value(const char *text, const char *series);

#endif
