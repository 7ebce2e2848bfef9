"""Pages for stewards and coordinators."""
