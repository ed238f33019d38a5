#ifndef PLAYGROUND_MODEL_TRANSCRIBE_H
#define PLAYGROUND_MODEL_TRANSCRIBE_H
/* POST /v1/audio/transcriptions as in OpenAI's API of 2026. Audio is not decoded: text in the file, after
 * an optional "OggS", is the transcription; other bytes give "(sound of N bytes)". */
struct exchange;
struct model;
struct task;

void transcribe_serve(struct task *t, struct model *m, struct exchange *ex);

#endif
