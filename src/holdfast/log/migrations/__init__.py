"""The steps that bring a store from one version's shape to the next, in order."""
