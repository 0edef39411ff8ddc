"""The local stack: the real template on an emulator, without Docker."""
