#ifndef SESSION_REMINDER_SCHEDULER_H
#define SESSION_REMINDER_SCHEDULER_H
/*
 * Reminders that are due become messages of their chats, as if the person whose they are had said them then:
 * with the rights that person has at that time. The entry moves on and the message is there in one commit, so
 * that each time counts once, whatever ends the process. Private to sessions.
 */
struct buf;
struct error;
struct message;
struct sessions;
struct store_schedule;
struct task;

/* A task looks after those that are due, from now on. */
void reminder_scheduler_start(struct sessions *all);
/* A message of a schedule whose person may not use the agent any more: it ends, the entry is paused, and
 * admins are told, in one commit, in a task. Takes m. */
void reminder_pause_unauthorized(struct sessions *all, struct message *m);

#endif
