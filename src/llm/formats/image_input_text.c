#include "base/buf.h"
#include "llm/formats/request.h"
#include "llm/image_input.h"

const struct buf *llm_image_input_data(const struct llm_image_input *v, const struct llm_image *image)
{
	for (size_t i = 0; v && i < v->count; i++)
		if (v->items[i].image == image)
			return &v->items[i].data;
	return NULL;
}

bool llm_image_input_shows(const struct llm_image_input *v, const struct llm_message *m)
{
	for (size_t i = 0; i < m->image_count; i++)
		if (llm_image_input_data(v, &m->images[i]))
			return true;
	return false;
}

static const char *why_not(const struct llm_image_input *v, const struct llm_image *i)
{
	if (v && (v->no_images || !v->shows_images))
		return ": this model cannot see images";
	if (i->refused || (v && v->stage != LLM_IMAGE_INPUT_ALL))
		return ", not shown: it was refused";
	return i->superseded ? ", no longer shown" : ", no longer there";
}

static void add_line(struct buf *out, const struct llm_image_input *v, const struct llm_image *i)
{
	buf_addf(out, "\n[image: %s, %lldx%lld%s%s%s]", i->name, (long long)i->width, (long long)i->height,
	    why_not(v, i), i->description ? ". Another model says that it shows: " : "",
	    i->description ? i->description : "");
}

void llm_image_input_add_text(struct buf *out, const struct llm_image_input *v, struct llm_message *m)
{
	struct buf text = BUF_INIT;

	if (m->image_count == 0) {
		request_add_message_text(out, m);
		return;
	}
	buf_addstr(&text, m->text);
	for (size_t i = 0; i < m->image_count; i++)
		if (!llm_image_input_data(v, &m->images[i]))
			add_line(&text, v, &m->images[i]);
	request_add_text(out, text.data);
	buf_clear(&text);
}

void llm_image_input_add_images(struct buf *out, const struct llm_image_input *v, const struct llm_message *m,
    const struct llm_image_input_format *form)
{
	for (size_t i = 0; i < m->image_count; i++) {
		const struct buf *data = llm_image_input_data(v, &m->images[i]);
		if (!data)
			continue;
		buf_addstr(out, form->before);
		buf_addstr(out, m->images[i].mime);
		buf_addstr(out, form->between);
		buf_add(out, data->data, data->len);
		buf_addstr(out, form->after);
	}
}
