#ifndef CHANNELS_TELEGRAM_PREVIEW_H
#define CHANNELS_TELEGRAM_PREVIEW_H
/*
 * An answer while it is written: channel_ops' preview. In private chats a draft
 * (sendMessageDraft, Bot API 9.3; its stop button, 10.3), which passes by itself; elsewhere, and where
 * drafts are refused, a message that is edited, and that the answer replaces.
 */
#include <stdbool.h>

struct channel;
struct error;
struct preview;
struct task;

/* Chats that are remembered to take no drafts. */
#define TELEGRAM_NO_DRAFT_CHATS 32

struct telegram_no_drafts {
	bool all;
	char chats[TELEGRAM_NO_DRAFT_CHATS][64]; /* a ring */
	unsigned next;
};

int telegram_preview(struct task *t, struct channel *ch, struct preview *p, struct error *err);

#endif
