#include <math.h>

#include "base/json/json.h"
#include "playground/telegram/world/message.h"
#include "playground/telegram/http/methods.h"
#include "playground/telegram/methods/location.h"
#include "playground/telegram/methods/post.h"

int location_write(struct json_object *in, struct buf *out)
{
	double latitude = json_get_double(in, "latitude", NAN),
	       longitude = json_get_double(in, "longitude", NAN);

	if (!(fabs(latitude) <= 90 && fabs(longitude) <= 180))
		return -1;
	buf_addf(out, "{\"latitude\":%.6f,\"longitude\":%.6f}", latitude, longitude);
	return 0;
}

int method_send_location(struct task *t, struct call *call)
{
	struct buf place = BUF_INIT;
	struct message *m;
	struct post post;
	int ret = -1;

	(void)t;
	if (location_write(call->params, &place) != 0) {
		call_refuse(call, "invalid location specified");
	} else if (post_open(call, &post, 1, "locations") == 0) {
		m = telegram_message_new();
		message_add_extra(m, "location", place.data);
		posting_add(call, &post, m);
		message_write(m, post.chat, &call->result);
		post_close(call, &post);
		ret = 0;
	}
	buf_clear(&place);
	return ret;
}
