#include "helpers/image/picture.h"

#include <webp/decode.h>
#include <webp/demux.h>

#include "base/buf.h"
#include "base/error.h"

/* Accepts only complete files; a truncated one is reported as broken. */
static int read_frame(
    struct picture *p, const WebPData *frame, const struct picture_limits *limits, struct error *err)
{
	WebPDecoderConfig config;

	if (!WebPInitDecoderConfig(&config) ||
	    WebPGetFeatures(frame->bytes, frame->size, &config.input) != VP8_STATUS_OK)
		return error_set(err, ERROR_REFUSED, "the WebP image is broken");
	uint32_t width = (uint32_t)config.input.width, height = (uint32_t)config.input.height;
	if (picture_check_size(width, height, limits, err) < 0 || picture_make(p, width, height, err) < 0)
		return -1;
	p->drawn = config.input.format == 2;
	config.output.colorspace = MODE_RGBA;
	config.output.is_external_memory = 1;
	config.output.u.RGBA.rgba = p->rgba;
	config.output.u.RGBA.stride = config.input.width * 4;
	config.output.u.RGBA.size = (size_t)width * height * 4;
	if (WebPDecode(frame->bytes, frame->size, &config) != VP8_STATUS_OK)
		return error_set(err, ERROR_REFUSED, "the WebP image is broken or not complete");
	return 0;
}

static int orientation_of(const WebPDemuxer *demuxer)
{
	WebPChunkIterator chunk;
	int orientation = 1;

	if (WebPDemuxGetChunk(demuxer, "EXIF", 1, &chunk)) {
		orientation = picture_exif_orientation(chunk.chunk.bytes, chunk.chunk.size);
		WebPDemuxReleaseChunkIterator(&chunk);
	}
	return orientation;
}

int picture_read_webp(
    struct picture *p, const struct buf *in, const struct picture_limits *limits, struct error *err)
{
	const WebPData data = {.bytes = (const uint8_t *)in->data, .size = in->len};
	WebPDemuxer *demuxer = WebPDemux(&data);
	WebPIterator frame;
	int rc = -1;

	if (!demuxer)
		return error_set(err, ERROR_REFUSED, "the WebP image is broken or not complete");
	p->orientation = orientation_of(demuxer);
	p->full_width = WebPDemuxGetI(demuxer, WEBP_FF_CANVAS_WIDTH);
	p->full_height = WebPDemuxGetI(demuxer, WEBP_FF_CANVAS_HEIGHT);
	if (picture_check_size(p->full_width, p->full_height, limits, err) == 0) {
		if (WebPDemuxGetFrame(demuxer, 1, &frame)) {
			rc = read_frame(p, &frame.fragment, limits, err);
			WebPDemuxReleaseIterator(&frame);
		} else {
			error_set(err, ERROR_REFUSED, "the WebP image has no frame");
		}
	}
	WebPDemuxDelete(demuxer);
	return rc;
}
