"""hjstudy: human studies on Hero's Journey, a text-game benchmark of rule induction."""

__version__ = "0.1.0"
