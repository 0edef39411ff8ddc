"""The emulator, and the template deployed to it."""
