#ifndef SESSION_APPROVAL_QUESTION_PRESS_H
#define SESSION_APPROVAL_QUESTION_PRESS_H
/* What a press does, for prompt.c. */
struct message;
struct outbound;
struct question_choice;

/* The row that replaces the message which shows a question: the same without buttons, and how it ended. */
struct outbound *question_closed_outbound(
    const struct outbound *shown, const char *message_id, const char *note);
/* The same, for a choice that the sender of m made. */
struct outbound *question_chosen_outbound(const struct outbound *shown, const char *message_id,
    const struct question_choice *choice, const struct message *m);

#endif
