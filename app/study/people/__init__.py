"""People: accounts, recruitment, payment, the monitor, playback, manual actions, withdrawal."""
