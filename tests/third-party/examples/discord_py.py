# An ordinary bot with discord.py. Only the two addresses are different: the playground instead of https://discord.com.
import os

import discord
import yarl

PLAYGROUND = os.environ.get("PLAYGROUND", "http://127.0.0.1:8090")
discord.http.Route.BASE = f"{PLAYGROUND}/discord/api/v10"
discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(f"{PLAYGROUND.replace('http', 'ws', 1)}/discord/gateway")
client = discord.Client(intents=discord.Intents.default())


@client.event
async def on_message(message):
    if not message.author.bot:
        await message.channel.send("You said: " + message.content)


client.run("OTAx.GabcDE.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")
