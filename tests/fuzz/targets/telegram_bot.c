/* A bot of the simulated Telegram (fuzz/client.h): its requests, also with files, and what its webhook
 * answers. */
#include "fuzz/client.h"
#include "playground/telegram/telegram.h"
#include "playground/telegram/world/bot.h"
#include "playground/telegram/world/world.h"

#define BOT_ID 999

void fuzz_telegram_bot(const uint8_t *data, size_t size)
{
	static const struct fuzz_client_kind kind = {
	    .platform = &telegram_platform, .base = "/telegram/bot999:abcdefghijklmnopqrstuvwxyz012345678/"};
	struct fuzz_client c;
	struct world *w;

	fuzz_client_open(&c, &kind);
	w = c.stage.world;
	w->settings.limits = false;
	world_get_bot(w, BOT_ID);
	fuzz_stage_play(&c.stage, data, size, fuzz_client_call);
	fuzz_client_close(&c);
}

FUZZ_PROGRAM(fuzz_telegram_bot)
