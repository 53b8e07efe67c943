"""What the programs share that try the harvest on clusters on this machine."""
