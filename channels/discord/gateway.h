#ifndef CHANNELS_DISCORD_GATEWAY_H
#define CHANNELS_DISCORD_GATEWAY_H
/* The connection to Discord's gateway (v10), made again as long as the account runs. */
struct discord;

/* Starts the task that settles who we are, and connects. */
void discord_gateway_start(struct discord *d);

#endif
