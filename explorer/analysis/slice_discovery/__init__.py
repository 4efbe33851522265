"""Where a model fails: slices of films on which it is worse than on the others, found on half of the patients and counted on the other half."""
