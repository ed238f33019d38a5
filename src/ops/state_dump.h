#ifndef OPS_STATE_DUMP_H
#define OPS_STATE_DUMP_H
/* Logs the tasks and queues of the process for an operator who wonders what it waits for (SIGUSR2). */
struct gateway;

void state_dump_log(struct gateway *g);

#endif
