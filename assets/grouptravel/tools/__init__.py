"""The ten tools of the published sandbox, answered from a release, and its pre-warmed cache."""
