#ifndef TESTS_PLAYGROUND_FIXTURE_H
#define TESTS_PLAYGROUND_FIXTURE_H
/* A running myna-playground for tests, and short ways to talk to it. */
#include "lib/client.h"

struct json_object;

#define TOKEN "123456:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

/* Starts one with more options (NULL-terminated), on a free port; ends it and wants exit status 0. */
void fixture_start(const char *const *options);
void fixture_end(void);
/* cmocka's group set-up and tear-down: one without more options. */
int fixture_setup(void **state);
int fixture_teardown(void **state);
/* Set-up of each test: everything said is forgotten, no faults, usual settings. */
int fixture_reset(void **state);
const char *fixture_program(void);

/* The URL of a path; good until the eighth call after this one. */
__attribute__((format(printf, 1, 2))) const char *at(const char *fmt, ...);
/* A method of the bot with TOKEN: the answer to that JSON, which must have that status. */
__attribute__((format(printf, 3, 4))) struct json_object *bot(
    const char *method, int status, const char *fmt, ...);
/* POST /control/NAME, which must succeed. */
__attribute__((format(printf, 2, 3))) struct json_object *control(const char *name, const char *fmt, ...);
/* Says something as person 77 to the bot; the id of the message. */
int say(const char *text);
/* What the newest record of a platform says of the request: "ok" or "refused". */
void expect_verdict(const char *platform, const char *verdict);
/* o has text at path; o stays. */
void expect_at(struct json_object *o, const char *path, const char *text);
/* The same, then o is put. */
void expect_once(struct json_object *o, const char *path, const char *text);

#endif
