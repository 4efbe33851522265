"""Do a model's scores hold when its films are perturbed? The levels stand where the models of a leaderboard stand."""
