#ifndef TESTS_STORE_SCENE_H
#define TESTS_STORE_SCENE_H
/* What is stored before each call of the store that a test makes fail. */
#include "store/store_fixture.h"

#include "bus/message.h"
#include "store/background_jobs.h"
#include "store/grants.h"
#include "store/plans.h"
#include "store/questions.h"
#include "store/turn/turns.h"
#include "store/turn/undo.h"

#define SCENE_CHAT "telegram:1"
/* More than any call of the store makes of SQLite. */
#define SCENE_CALLS_MAX 500

struct scene {
	struct fixture *p;
	struct journal journal;
	struct address where;
	int64_t session;
	int64_t asked;          /* a pending message */
	struct store_turn turn; /* an open one, when its id is not 0 */
	struct store_exchange exchange;
	struct store_question prompt;
	struct store_plan plan;
	int64_t work;
	struct outbound *row; /* to be committed with something */
	struct buf told;      /* what a call gave its caller */
};

/* A session with one pending message. From then on SQLite works for the test alone. */
struct scene scene_begin(struct task *t, struct fixture *p);
void scene_end(struct scene *s);

/* Literals as the structs want them. */
char *scene_text(const char *text);
struct message *scene_message(const struct scene *s, const char *event);
struct outbound *scene_row(const struct scene *s, const char *key);
struct store_pairing scene_pairing(const struct scene *s, enum store_pairing_state state);

void scene_in_a_turn(struct task *t, struct scene *s);
void scene_in_a_turn_with_calls(struct task *t, struct scene *s);
void scene_behind_an_exchange(struct task *t, struct scene *s);
void scene_behind_a_dead_turn(struct task *t, struct scene *s);
void scene_with_a_question(struct task *t, struct scene *s);
void scene_with_a_plan(struct task *t, struct scene *s);
void scene_with_work(struct task *t, struct scene *s);
void scene_with_a_stranger(struct task *t, struct scene *s);
void scene_with_a_row(struct task *t, struct scene *s);

/* Every call that writes, and what stands before it (NULL: nothing). */
struct scene_write {
	const char *name;
	void (*before)(struct task *t, struct scene *s);
	int (*write)(struct task *t, struct scene *s, struct error *err);
};
extern const struct scene_write scene_writes[];
extern const size_t scene_write_count;

int scene_ask(struct task *t, struct scene *s, struct error *err);
int scene_put_plan(struct task *t, struct scene *s, struct error *err);
int scene_begin_work(struct task *t, struct scene *s, struct error *err);
int scene_ask_to_be_let_in(struct task *t, struct scene *s, struct error *err);
int scene_queue(struct task *t, struct scene *s, const char *first, const char *second, struct error *err);
int scene_queue_two(struct task *t, struct scene *s, struct error *err);

#endif
