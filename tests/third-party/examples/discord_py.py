import os

import discord
import yarl

discord.http.Route.BASE = os.environ["PLAYGROUND"] + "/discord/api/v10"
discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(os.environ["PLAYGROUND"].replace("http", "ws", 1) + "/discord/gateway")
client = discord.Client(intents=discord.Intents.default())


@client.event
async def on_message(message):
    if not message.author.bot:
        await message.channel.send("You said: " + message.content)


client.run("OTAw.GabcDE.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")
