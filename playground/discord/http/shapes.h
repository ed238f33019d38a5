#ifndef PLAYGROUND_DISCORD_HTTP_SHAPES_H
#define PLAYGROUND_DISCORD_HTTP_SHAPES_H
/* The request bodies, named as in Discord's OpenAPI description; a test compares them with it. */
#include "playground/discord/http/shape.h"

extern const struct cord_shape cord_shape_allowed_mentions; /* MessageAllowedMentionsRequest */
extern const struct cord_shape cord_shape_attachment;
extern const struct cord_shape cord_shape_autocomplete;
extern const struct cord_shape cord_shape_callback_edit;
extern const struct cord_shape cord_shape_callback_message;
extern const struct cord_shape cord_shape_command_create;
extern const struct cord_shape cord_shape_command_patch;
extern const struct cord_shape cord_shape_command_put;
extern const struct cord_shape cord_shape_component; /* any component of a message */
extern const struct cord_shape cord_shape_embed;
extern const struct cord_shape cord_shape_message_create;
extern const struct cord_shape cord_shape_message_edit;
extern const struct cord_shape cord_shape_modal;
extern const struct cord_shape cord_shape_open_dm;
extern const struct cord_shape cord_shape_thread;
extern const struct cord_shape cord_shape_thread_of_message;
extern const struct cord_shape cord_shape_thread_patch;
extern const struct cord_shape cord_shape_webhook_edit;
extern const struct cord_shape cord_shape_webhook_send;

/* All shapes above that the description names; NULL-terminated. */
extern const struct cord_shape *const cord_shapes[];

#define CORD_SHAPE(shape_name, rows, checker)                                                      \
	{                                                                                          \
		.name = (shape_name), .fields = (rows), .count = sizeof(rows) / sizeof((rows)[0]), \
		.check = (checker)                                                                 \
	}

#endif
