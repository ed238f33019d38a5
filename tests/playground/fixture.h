#ifndef TESTS_PLAYGROUND_FIXTURE_H
#define TESTS_PLAYGROUND_FIXTURE_H
/* A running myna-playground for tests, and shorthands to call it. */
#include "lib/client.h"

struct buf;
struct json_object;

#define TOKEN "123456:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

/* Starts one with more options (NULL-terminated) on a free port. At the end it must exit with status 0. */
void fixture_start(const char *const *options);
void fixture_end(void);
/* cmocka's group set-up and tear-down: one without additional options. */
int fixture_setup(void **state);
int fixture_teardown(void **state);
/* Set-up of each test: resets messages, faults and settings. */
int fixture_reset(void **state);
const char *fixture_program(void);

/* Returns the URL of a path; valid until the eighth call after this one. */
__attribute__((format(printf, 1, 2))) const char *at(const char *fmt, ...);
/* Sends these bytes on a connection of its own; out gets all that comes until its end (overwritten). */
void raw_send(const char *request, size_t len, struct buf *out);
/* Calls a method of the bot with TOKEN; the response to that JSON must have that status. */
__attribute__((format(printf, 3, 4))) struct json_object *bot(
    const char *method, int status, const char *fmt, ...);
/* POST /control/NAME, which must succeed. */
__attribute__((format(printf, 2, 3))) struct json_object *control(const char *name, const char *fmt, ...);
/* Sends a message of person 77 to the bot; returns its id. */
int say(const char *text);
/* Checks the verdict on the request in the newest record of a platform: "ok" or "refused". */
void expect_verdict(const char *platform, const char *verdict);
/* Checks that the newest request was accepted, with that one remark; NULL: with none. */
void expect_remark(const char *platform, const char *remark);
/* o must have text at path; o stays. */
void expect_at(struct json_object *o, const char *path, const char *text);
/* The same, then o is put. */
void expect_once(struct json_object *o, const char *path, const char *text);

#endif
