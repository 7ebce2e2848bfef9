"""Work for later: start a job, claim it, say how far it is, finish it. Rules in ``services``."""
