# What the author of the notes writes in the place of each gap of the draft.
s/<!-- to write: one of Required, .* -->/Minor change/
s/<!-- to write: one of fix, .* -->/fix/
s/<!-- to write: Docstring style: .* -->/Docstring style: one sentence above each item, kept./
s/<!-- to write: Comment policy: .* -->/Comment policy: comments say why; the new one does./
s/<!-- to write: Simplicity and readability: .* -->/Simplicity and readability: one arm more in one match./
s/<!-- to write: Reproducibility: .* -->/Reproducibility: not applicable, nothing is generated./
s/<!-- to write: what may still be wrong; .* -->/Another machine may meet the race less often, so that the test says less there./
