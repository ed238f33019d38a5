#ifndef CLUSTER_GUILDS_H
#define CLUSTER_GUILDS_H
/* A Discord bot of several shards with a server (guild) in each, where Ann asks questions: the nodes answer
 * each once. */
#include <stddef.h>
#include <stdint.h>

/* Between two IDENTIFYs (Discord: events/gateway, Max Concurrency: 5 s), for a platform that reads the first
 * of them late. */
#define GUILDS_IDENTIFY_US 4500000

/* After nodes_make: the bot has so many shards, and nobody has asked. */
void guilds_begin(unsigned shards);
/* A question in the server of a shard, or in each. Questions have the numbers from 1. */
void guilds_ask(unsigned shard);
void guilds_ask_all(void);
/* The chat of a question. */
const char *guilds_chat(unsigned number);
/* All questions are answered, and each once; the database has seen nothing wrong. */
void guilds_judge(void);
/* How often shards sent this; closest: the shortest time between two, may be NULL. */
size_t guilds_sent(const char *method, int64_t *closest);

#endif
