"""GPU Plan: from workload evidence to a configuration sheet. Start reading at `domain`, then `services`, then `web`."""
