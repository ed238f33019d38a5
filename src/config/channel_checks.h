#ifndef CONFIG_CHANNEL_CHECKS_H
#define CONFIG_CHANNEL_CHECKS_H
/* Reports channel settings that match nobody, and those that two channels cannot share. */

struct channel_ops;
struct error;
struct gateway_channel;
struct gateway_config;

/* channel_check_person and the like (bus/channel.h). */
typedef int channel_check_id(const struct channel_ops *ops, const char *id, struct error *err);

/* Checks the ids in the lists and groups of the channel, whose section is path. */
void channel_checks_ids(struct gateway_config *gc, const struct gateway_channel *ch, const char *path);
/* Checks the address CHANNEL:CHAT/THREAD at path; NULL is allowed. */
void channel_checks_address(
    struct gateway_config *gc, const char *path, const char *text, channel_check_id *check);
/* Checks the addresses in the lists of a section, "targets" or "people". */
void channel_checks_addresses(struct gateway_config *gc, const char *section, channel_check_id *check);
/* Checks the secrets of all channels. */
void channel_checks_tokens(struct gateway_config *gc);

#endif
