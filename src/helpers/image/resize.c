#include "helpers/image/picture.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* Sums of colours, each weighted by its alpha, and of alpha. */
struct sum {
	float r, g, b, a;
};

static void sum_add(struct sum *to, const unsigned char *px, float weight)
{
	float a = (float)px[3] * weight;

	to->r += (float)px[0] * a;
	to->g += (float)px[1] * a;
	to->b += (float)px[2] * a;
	to->a += a;
}

/* Sums one row of the source: each new pixel covers several old ones, in part at its ends. */
static void sum_row(struct sum *to, uint32_t count, const unsigned char *row, uint32_t width, float weight)
{
	double step = (double)width / count;

	for (uint32_t i = 0; i < count; i++) {
		double from = i * step, until = (i + 1) * step;
		for (uint32_t x = (uint32_t)from; x < width && x < until; x++) {
			double begin = from > x ? from : x, end = until < x + 1.0 ? until : x + 1.0;
			sum_add(&to[i], row + 4 * (size_t)x, weight * (float)(end - begin));
		}
	}
}

static unsigned char rounded(float value)
{
	return value >= 255.0F ? 255 : (unsigned char)(value + 0.5F);
}

static void put_row(unsigned char *row, const struct sum *sums, uint32_t count, float area)
{
	for (uint32_t i = 0; i < count; i++, row += 4) {
		const struct sum *s = &sums[i];
		row[3] = rounded(s->a / area);
		row[0] = s->a > 0 ? rounded(s->r / s->a) : 0;
		row[1] = s->a > 0 ? rounded(s->g / s->a) : 0;
		row[2] = s->a > 0 ? rounded(s->b / s->a) : 0;
	}
}

static uint32_t scaled(uint32_t side, uint32_t longer, uint32_t edge)
{
	uint32_t n = (uint32_t)(((uint64_t)side * edge + longer / 2) / longer);

	return n > 0 ? n : 1;
}

/* The output never overtakes the input, so both use the same memory. */
void picture_shrink(struct picture *p, uint32_t edge)
{
	uint32_t longer = p->width > p->height ? p->width : p->height;

	if (longer <= edge)
		return;
	uint32_t width = scaled(p->width, longer, edge), height = scaled(p->height, longer, edge);
	double step = (double)p->height / height;
	struct sum *sums = xcalloc(width, sizeof(*sums));
	for (uint32_t i = 0; i < height; i++) {
		double from = i * step, until = (i + 1) * step;
		memset(sums, 0, width * sizeof(*sums));
		for (uint32_t y = (uint32_t)from; y < p->height && y < until; y++) {
			double begin = from > y ? from : y, end = until < y + 1.0 ? until : y + 1.0;
			sum_row(
			    sums, width, p->rgba + 4 * (size_t)p->width * y, p->width, (float)(end - begin));
		}
		put_row(p->rgba + 4 * (size_t)width * i, sums, width, (float)(step * p->width / width));
	}
	free(sums);
	p->width = width;
	p->height = height;
}

/* Returns where the pixel x, y of the rotated picture is in the original. */
static size_t origin(const struct picture *p, uint32_t x, uint32_t y)
{
	uint32_t right = p->width - 1, bottom = p->height - 1;
	const struct {
		uint32_t x, y;
	} from[] = {
	    [1] = {x, y},
	    [2] = {right - x, y},
	    [3] = {right - x, bottom - y},
	    [4] = {x, bottom - y},
	    [5] = {y, x},
	    [6] = {y, bottom - x},
	    [7] = {right - y, bottom - x},
	    [8] = {right - y, x},
	};

	return (size_t)from[p->orientation].y * p->width + from[p->orientation].x;
}

void picture_turn(struct picture *p)
{
	bool lies = p->orientation >= 5;
	uint32_t width = lies ? p->height : p->width, height = lies ? p->width : p->height,
		 full = p->full_width;

	if (p->orientation <= 1)
		return;
	unsigned char *turned = xmalloc((size_t)width * height * 4);
	for (uint32_t y = 0; y < height; y++)
		for (uint32_t x = 0; x < width; x++)
			memcpy(turned + 4 * ((size_t)y * width + x), p->rgba + 4 * origin(p, x, y), 4);
	free(p->rgba);
	p->rgba = turned;
	p->width = width;
	p->height = height;
	p->full_width = lies ? p->full_height : p->full_width;
	p->full_height = lies ? full : p->full_height;
	p->orientation = 1;
}
