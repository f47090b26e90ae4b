"""`holdfast top`: the screen with all sessions. Only this folder knows textual, and only `holdfast top` imports it."""
