"""PettingZoo environments; they need the extra ``multiagent``."""
