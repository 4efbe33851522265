"""A class: the pages for learners on the local network, who may do what there, and their answers, kept safe."""
