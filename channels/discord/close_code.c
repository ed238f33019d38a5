#include "channels/discord/close_code.h"

#include <stddef.h>

#include "base/mem.h"

/* After "rate limited": as long as the window of the limit. */
#define LIMITED_MS 60000

/* Servers that restart send 1000 and 1001; a RESUME shows whether the session is alive. */
static const struct discord_close_code table[] = {
    {4000, DISCORD_RESUME, false, 0, "Discord had an unknown error"},
    {4001, DISCORD_RESUME, true, 0, "Discord did not know an opcode"},
    {4002, DISCORD_RESUME, true, 0, "Discord could not parse a payload"},
    {4003, DISCORD_IDENTIFY, false, 0, "the session is not authenticated any more"},
    {4004, DISCORD_STOP, false, 0,
	"the token was refused: put the right one into the configuration and restart"},
    {4005, DISCORD_IDENTIFY, true, 0, "the bot identified twice on one connection"},
    {4006, DISCORD_IDENTIFY, false, 0, "the session is not valid any more"},
    {4007, DISCORD_IDENTIFY, false, 0, "the sequence number is invalid"},
    {4008, DISCORD_RESUME, true, LIMITED_MS, "the bot sent too many payloads"},
    {4009, DISCORD_IDENTIFY, false, 0, "the session has timed out"},
    {4010, DISCORD_STOP, true, 0,
	"Discord refuses the number of connections (shards): leave out the channel's setting shards, so that "
	"Discord says how many, and restart"},
    {4011, DISCORD_STOP, false, 0,
	"the bot is in too many servers for its connections (shards): set the channel's setting shards to "
	"more, or leave it out, so that Discord says how many, and restart"},
    {4012, DISCORD_STOP, true, 0, "Discord no longer takes version 10 of its gateway: update Myna"},
    {4013, DISCORD_STOP, true, 0, "Discord refuses the intents: please report this"},
    {4014, DISCORD_STOP, false, 0,
	"the Message Content Intent is off: switch it on (Developer Portal, Bot, Privileged Gateway Intents) "
	"and restart, or set message_content = \"auto\""},
};
static const struct discord_close_code broken = {0, DISCORD_RESUME, false, 0, "the connection was lost"};

const struct discord_close_code *discord_close_code_find(unsigned code)
{
	for (size_t i = 0; i < ARRAY_LEN(table); i++)
		if (table[i].code == code)
			return &table[i];
	return &broken;
}
