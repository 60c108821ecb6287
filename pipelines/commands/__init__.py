"""The commands, a module each: read the words, call one function, print the answer; logic lives elsewhere."""
