# Commands, buttons, menus, modals, reactions and threads with discord.py, as its documentation teaches; only the addresses are different.
import io
import os

import discord
import yarl
from discord import app_commands

PLAYGROUND = os.environ["PLAYGROUND"]
discord.http.Route.BASE = f"{PLAYGROUND}/discord/api/v10"
discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(f"{PLAYGROUND.replace('http', 'ws', 1)}/discord/gateway")
intents = discord.Intents.default()
intents.message_content = True


class Client(discord.Client):
    def __init__(self):
        super().__init__(intents=intents)
        self.tree = app_commands.CommandTree(self)

    async def setup_hook(self):
        await self.tree.sync()

    async def on_message(self, message):
        if message.author == self.user:
            return
        if message.content == "file":
            await message.reply("Here it is", file=discord.File(io.BytesIO(b"hello"), "a.txt"))
        elif message.content == "thread":
            thread = await message.create_thread(name="Talk", auto_archive_duration=60)
            await thread.send("Said in the thread")
        elif message.attachments:
            await message.channel.send(f"{len(await message.attachments[0].read())} bytes")
        else:
            async with message.channel.typing():
                await message.channel.send("You said: " + message.content)

    async def on_raw_reaction_add(self, payload):
        if payload.user_id != self.user.id:
            await self.get_partial_messageable(payload.channel_id).send(f"A reaction: {payload.emoji}")


class Choose(discord.ui.View):
    @discord.ui.button(label="Yes", style=discord.ButtonStyle.green)
    async def yes(self, interaction, button):
        await interaction.response.edit_message(content="Chosen: yes", view=None)

    @discord.ui.select(placeholder="Colour", options=[discord.SelectOption(label="Red"), discord.SelectOption(label="Blue")])
    async def colour(self, interaction, select):
        await interaction.response.send_message(f"Colour: {select.values[0]}")


class Feedback(discord.ui.Modal, title="Feedback"):
    words = discord.ui.TextInput(label="Words", custom_id="words", style=discord.TextStyle.long)

    async def on_submit(self, interaction):
        await interaction.response.send_message(f"Thanks for: {self.words}")


client = Client()


@client.tree.command(description="Adds two numbers")
@app_commands.describe(first="A number", second="Another one")
async def add(interaction, first: int, second: int):
    await interaction.response.defer(thinking=True)
    await interaction.followup.send(f"{first} + {second} = {first + second}")


@client.tree.command(description="Asks")
async def choose(interaction):
    await interaction.response.send_message("Please choose", view=Choose())


@client.tree.command(description="Takes what people think")
async def feedback(interaction):
    await interaction.response.send_modal(Feedback())


@client.tree.context_menu(name="Shout")
async def shout(interaction, message: discord.Message):
    await interaction.response.send_message(message.content.upper())


client.run("OTAx.GabcDE.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")
