"""The demo: train a pot agent for a few minutes, compare it, play a frame, write a page about it."""

from sinuca_env.bench.demo.run import DemoResult, demo_config, run_demo

__all__ = ["DemoResult", "demo_config", "run_demo"]
