#ifndef CLUSTER_NODES_H
#define CLUSTER_NODES_H
/*
 * Three gateways on one database, the nodes anna, bert and carl, which serve the three simulated platforms.
 * Between each node and the database, and between each node and the platforms, stands a proxy.
 *
 * The database itself watches: triggers write down, in the schema proof, each commit about a channel by a
 * node that does not own it, and each owner that comes without a higher epoch. A gate makes a chosen step of
 * a message wait within the server, so that a node can be ended or stopped exactly there.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "flow/flow.h"

#define NODES 3
#define SIDES 3

struct postgres_proxy;

struct node {
	struct flow flow;
	const char *name;
	struct postgres_proxy *database, *platforms;
};

extern struct flow platforms; /* the playground */
extern struct node nodes[NODES];
extern const char *const sides[SIDES]; /* platforms, which are also the names of the channels */

/* Steps of a message. The first five are commits. */
enum step { STEP_RECEIVED, STEP_BEGUN, STEP_ENDED, STEP_SENDING, STEP_SENT, STEP_COUNT };

extern const char *const step_names[STEP_COUNT];

/* Runs tests (struct CMUnitTest) where there is a server of PostgreSQL. Returns the exit status. */
#define nodes_run(tests) nodes_run_tests((tests), sizeof(tests) / sizeof((tests)[0]))
struct CMUnitTest;
int nodes_run_tests(const struct CMUnitTest *tests, size_t count);
/* A test with all nodes, and an empty ledger. */
#define NODES_TEST(test) cmocka_unit_test_setup_teardown(test, nodes_setup, nodes_teardown)
int nodes_setup(void **state);
int nodes_teardown(void **state);
#define NODES_LEASE_MS 4000

/* Before nodes_make: the Discord bot has so many units. */
void nodes_divide(unsigned units);
/* Starts the playground, makes a database and the nodes' folders. server: the folder of a server's socket;
 * NULL: the one that tests share. more: settings of the top level. */
void nodes_make(int64_t lease_ms, const char *server, const char *more);
/* The same, and starts all nodes. */
void nodes_begin(int64_t lease_ms);
/* Ends everything. */
void nodes_end(void);
/* Fails the test if the database has seen something wrong. */
void nodes_judge(void);
void nodes_start_all(void);
void nodes_start(struct node *n);
/* Ends the node as its machine would. */
void nodes_kill(struct node *n);
/* Makes the folder of another process with the name of n. */
void nodes_put_twin(struct flow *twin, const struct node *n);
/* Waits until each running node answers, has its share of the channels, and each is ready there. */
void nodes_await(void);
/* Waits until nothing is on its way: what is not noted as sent may be sent again. */
void nodes_await_quiet(void);
/* Until the server runs for a lease: before, nobody is taken for dead. */
void nodes_await_settled(void);
/* For the time of a lease, in which the node has heartbeats. */
void nodes_await_lease(const struct node *n);
/* Until another node than this one has the channel. Returns that. */
struct node *nodes_await_other(size_t side, const struct node *former);
/* The owner of a channel or a unit; NULL: nobody, as for a moment when a busy machine lets a lease end. */
struct node *nodes_owner_of(const char *unit);
struct node *nodes_owner(size_t side);
/* Until it has an owner. Returns that. */
struct node *nodes_await_owner(size_t side);
/* How often a channel has come to another node. */
int64_t nodes_moves(void);
/* How often the log of the node has this text. */
size_t nodes_log_count(const struct node *n, const char *text);
/* That it has lost its lease, and ends. */
#define NODES_ENDS "ends at once, and starts again"

/* The nodes find the server of another folder at their database's address, and so does the test. */
void nodes_move_database(const char *server);
/* Asks the database, through no proxy. sql is a literal. */
int64_t nodes_number(const char *sql);
/* Prints what the database knows of messages, turns, answers and owners. */
void nodes_show_journal(void);
void nodes_do(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* The next such step on this channel waits: late, when its commit has all that it needs, else within its
 * transaction. part: of an answer that is sent in several, from 1. */
void gate_close(size_t side, enum step step, bool late, int part);
/* Waits until one waits there. */
void gate_await(struct node *n);
/* Lets it go on; no more wait. */
void gate_open(void);

/* Ends the tool busy at the node, which works on until then. */
void nodes_end_busy(const struct node *n);
/* How much that tool has done there: it runs while this grows. */
int64_t nodes_beats(const struct node *n);

#endif
