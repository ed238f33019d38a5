#ifndef SESSION_PROMPT_PRESS_H
#define SESSION_PROMPT_PRESS_H
/* What a press does, for prompt.c. */
struct message;
struct outbound;
struct prompt_choice;

/* The row that replaces the message which shows a question: the same without buttons, and how it ended. */
struct outbound *prompt_closed_row(const struct outbound *shown, const char *message_id, const char *note);
/* The same, for a choice that the sender of m made. */
struct outbound *prompt_chosen_row(const struct outbound *shown, const char *message_id,
    const struct prompt_choice *choice, const struct message *m);

#endif
