"""Speed of the promised paths, as ratios of CPU time to baselines measured in the same run."""
