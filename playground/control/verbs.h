#ifndef PLAYGROUND_CONTROL_VERBS_H
#define PLAYGROUND_CONTROL_VERBS_H
/* The paths below /control. A verb gets its parameters (body or query) and appends the JSON answer to out,
 * or returns -1 with err; err->code is the HTTP status, 0 meaning 400. */
struct buf;
struct error;
struct json_object;
struct playground;
struct platform_instance;
struct task;

struct control_verb {
	const char *method, *name;
	const char *members; /* members besides PLATFORM_COMMON_MEMBERS, separated by blanks; NULL: any */
	/* May suspend. */
	int (*run)(struct task *t, struct playground *pg, struct json_object *in, struct buf *out,
	    struct error *err);
};

/* Sorted by name; a row of NULLs ends it. */
extern const struct control_verb control_verbs[];

/* Returns the platform that in names, or NULL with err set. */
struct platform_instance *control_platform(struct playground *pg, struct json_object *in, struct error *err);
void control_write_settings(struct playground *pg, struct buf *out);
/* The clock: reads it, and moves it (clock.c). The state of all platforms: returns it, and restores it. */
int control_clock(
    struct task *t, struct playground *pg, struct json_object *in, struct buf *out, struct error *err);
int control_advance(
    struct task *t, struct playground *pg, struct json_object *in, struct buf *out, struct error *err);
int control_snapshot(
    struct task *t, struct playground *pg, struct json_object *in, struct buf *out, struct error *err);
int control_restore(
    struct task *t, struct playground *pg, struct json_object *in, struct buf *out, struct error *err);
/* Faults: add one, list all, clear. */
int control_fault(
    struct task *t, struct playground *pg, struct json_object *in, struct buf *out, struct error *err);
int control_faults(
    struct task *t, struct playground *pg, struct json_object *in, struct buf *out, struct error *err);
int control_faults_clear(
    struct task *t, struct playground *pg, struct json_object *in, struct buf *out, struct error *err);
/* Suspends until a transcript or the model's request log is long enough. */
int control_wait(
    struct task *t, struct playground *pg, struct json_object *in, struct buf *out, struct error *err);

#endif
