"""Pages of the leaderboard: boards, runs, methods, handing in."""
