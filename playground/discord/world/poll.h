#ifndef PLAYGROUND_DISCORD_WORLD_POLL_H
#define PLAYGROUND_DISCORD_WORLD_POLL_H
/* Polls of messages: the object in m->poll, votes in m->votes. */
#include <stdbool.h>
#include <stdint.h>

struct cord_message;
struct cord_world;
struct json_object;

/* The Poll object with its results. */
struct json_object *cord_poll_json(const struct cord_message *m);
bool cord_poll_is_over(const struct cord_message *m);
bool cord_poll_has_answer(const struct cord_message *m, int64_t answer);
/* The ids of those who voted for the answer, in texts; NULL: nobody. */
struct json_object *cord_poll_voters(const struct cord_message *m, int64_t answer);
/* Somebody votes, or takes a vote back, with the event. In a poll of one choice a vote replaces the one
 * before. */
void cord_poll_vote(struct cord_message *m, int64_t answer, uint64_t id, bool remove);
/* It ends now: a message says the result. */
void cord_poll_finish(struct cord_message *m);
/* Ends the polls whose time is over. */
void cord_polls_finish(struct cord_world *w);

#endif
