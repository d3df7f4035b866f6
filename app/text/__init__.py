"""Words and number formats in the reader's language: shared by pages, exports and the command line."""
