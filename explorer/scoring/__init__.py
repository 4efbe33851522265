"""What scoring a cohort needs besides a model: which films are left, the line of work, the parts on disk."""
