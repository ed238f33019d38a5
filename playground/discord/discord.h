#ifndef PLAYGROUND_DISCORD_DISCORD_H
#define PLAYGROUND_DISCORD_DISCORD_H
/* The simulated Discord: REST API v10 below /discord/api/v10, the gateway at /discord/gateway, files below
 * /discord/cdn. Follows Discord's developer documentation of 2026-08. Names in this folder start with
 * cord_. */
extern const struct platform discord_platform;

#endif
