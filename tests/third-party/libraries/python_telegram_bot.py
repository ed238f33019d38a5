import os

from telegram.ext import Filters, MessageHandler, Updater

updater = Updater("1001:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", base_url=os.environ["PLAYGROUND"] + "/telegram/bot")
answer = MessageHandler(Filters.text, lambda update, context: update.message.reply_text("You said: " + update.message.text))
updater.dispatcher.add_handler(answer)
updater.start_polling()
updater.idle()
