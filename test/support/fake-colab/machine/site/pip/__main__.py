# Everything is installed already.
