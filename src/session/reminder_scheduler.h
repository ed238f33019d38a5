#ifndef SESSION_REMINDER_SCHEDULER_H
#define SESSION_REMINDER_SCHEDULER_H
/*
 * Runs due reminders: each becomes a message of its chat, as if its owner had sent it then, with the
 * rights that the owner has at that time. One commit moves the entry to its next time and stores the
 * message, so that each occurrence counts once, even over a crash.
 */
struct buf;
struct error;
struct message;
struct sessions;
struct store_schedule;
struct task;

/* Starts the task that runs due reminders. */
void reminder_scheduler_start(struct sessions *all);
/* Checks for due reminders at once, as after a channel was taken over. */
void reminder_scheduler_wake(struct sessions *all);
/* Handles a reminder whose owner may not use the agent any more: one commit, in a task, ends the message,
 * pauses the entry and notifies admins. Takes m. */
void reminder_pause_unauthorized(struct sessions *all, struct message *m);

#endif
