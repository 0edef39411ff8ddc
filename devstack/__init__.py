"""The local stack: the real template on an emulator, every function under the real Lambda runtime client."""
