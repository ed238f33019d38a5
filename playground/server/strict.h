#ifndef PLAYGROUND_SERVER_STRICT_H
#define PLAYGROUND_SERVER_STRICT_H
/* With --strict-answers the playground judges itself: what it answers and delivers, by the types that the
 * platforms publish. Each violation is printed once, is kept for GET /control/violations, and makes the exit
 * status 1. */
#include <stdbool.h>
#include <stddef.h>

struct json_object;
struct spec_type;

struct strict { /* zero-initialised: nothing is judged */
	bool on;
	struct json_object *violations; /* {"platform","what","problem"}; NULL: none */
};

/* what: the method, or the event. t NULL: nothing must be there. */
void strict_judge(struct strict *s, const char *platform, const char *what, const struct spec_type *t,
    struct json_object *v);
/* The same for JSON text. */
void strict_judge_text(struct strict *s, const char *platform, const char *what, const struct spec_type *t,
    const char *json, size_t len);
/* The same for the object of this name in the platform's tables: an event, an error. */
void strict_judge_object(struct strict *s, const char *platform, const char *type, struct json_object *o);
/* The same for JSON text. */
void strict_judge_message(
    struct strict *s, const char *platform, const char *type, const char *json, size_t len);
/* Notes another violation. */
__attribute__((format(printf, 4, 5))) void strict_note(
    struct strict *s, const char *platform, const char *what, const char *fmt, ...);
void strict_clear(struct strict *s);

#endif
