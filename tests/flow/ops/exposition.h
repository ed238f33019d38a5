#ifndef TESTS_FLOW_OPS_EXPOSITION_H
#define TESTS_FLOW_OPS_EXPOSITION_H
/*
 * A strict parser of Prometheus' text format 0.0.4: each series has HELP and TYPE once and first, its lines
 * are contiguous and unique, labels are escaped, values are numbers, counters end in _total, buckets grow up
 * to +Inf, which equals _count.
 */

/* Fails the test with the first invalid line. */
void exposition_check(const char *text);
/* Returns the value of a series, given with its labels as in the text; fails the test if it is missing. */
double exposition_value(const char *text, const char *series);

#endif
