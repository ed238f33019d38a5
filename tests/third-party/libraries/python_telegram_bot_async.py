# python-telegram-bot since version 20, as its documentation teaches; Debian 13 has it. Only the addresses are different.
import logging
import os

from telegram import ForceReply, InlineKeyboardButton, InlineKeyboardMarkup, InlineQueryResultArticle, InputTextMessageContent
from telegram.constants import ChatAction
from telegram.error import BadRequest
from telegram.ext import (Application, CallbackQueryHandler, ChatMemberHandler, CommandHandler, InlineQueryHandler, MessageHandler,
                          MessageReactionHandler, PollAnswerHandler, filters)

PLAYGROUND = os.environ["PLAYGROUND"]
logging.basicConfig(level=logging.WARNING)


async def begin(app):
    await app.bot.set_my_commands([("start", "Begins"), ("quiz", "Asks"), ("wrong", "Fails")])


async def start(update, context):
    keys = [[InlineKeyboardButton("One", callback_data="1"), InlineKeyboardButton("Two", callback_data="2")]]
    await update.message.reply_html(rf"Hi {update.effective_user.mention_html()}!", reply_markup=ForceReply(selective=True))
    await update.message.reply_text("Please choose:", reply_markup=InlineKeyboardMarkup(keys))


async def chosen(update, context):
    await update.callback_query.answer()
    await update.callback_query.edit_message_text(f"Chosen: {update.callback_query.data}")


async def quiz(update, context):
    poll = await context.bot.send_poll(update.effective_chat.id, "How are you?", ["Good", "Really good"], is_anonymous=False)
    context.bot_data[poll.poll.id] = update.effective_chat.id
    await update.message.reply_text("A poll")


async def voted(update, context):
    answer = update.poll_answer
    await context.bot.send_message(context.bot_data[answer.poll_id], f"{answer.user.first_name} chose {answer.option_ids[0]}")


async def wrong(update, context):
    await context.bot.send_message(update.effective_chat.id, "<b>bold", parse_mode="HTML")


async def failed(update, context):
    if isinstance(context.error, BadRequest):
        await update.effective_message.reply_text(f"Refused: {context.error.message}")


async def document(update, context):
    file = await update.message.effective_attachment.get_file()
    data = await file.download_as_bytearray()
    await update.message.reply_document(bytes(data), filename="back.txt", caption=f"{len(data)} bytes", write_timeout=20)


async def photo(update, context):
    await update.message.reply_photo(update.message.photo[-1].file_id, caption="seen")


async def reacted(update, context):
    await context.bot.send_message(update.effective_chat.id, f"A reaction: {update.message_reaction.new_reaction[0].emoji}")


async def inline(update, context):
    said = InputTextMessageContent(update.inline_query.query.upper())
    await update.inline_query.answer([InlineQueryResultArticle(id="caps", title="Caps", input_message_content=said)])


async def member(update, context):
    await update.effective_chat.send_message(f"Thanks for adding me to {update.effective_chat.title}")


async def echo(update, context):
    await update.effective_chat.send_action(ChatAction.TYPING)
    await update.message.reply_text("You said: " + update.message.text)


app = (Application.builder().token("1001:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA").base_url(f"{PLAYGROUND}/telegram/bot")
       .base_file_url(f"{PLAYGROUND}/telegram/file/bot").post_init(begin).build())
app.add_handlers([CommandHandler("start", start), CommandHandler("quiz", quiz), CommandHandler("wrong", wrong),
                  CallbackQueryHandler(chosen), PollAnswerHandler(voted), InlineQueryHandler(inline), MessageReactionHandler(reacted),
                  ChatMemberHandler(member, ChatMemberHandler.MY_CHAT_MEMBER), MessageHandler(filters.Document.ALL, document),
                  MessageHandler(filters.PHOTO, photo), MessageHandler(filters.TEXT & ~filters.COMMAND, echo)])
app.add_error_handler(failed)
app.run_polling(allowed_updates=["message", "callback_query", "poll_answer", "inline_query", "my_chat_member", "message_reaction"])
