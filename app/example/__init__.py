"""An example study, made from nothing: simulated people, models, a judge and annotators.

`hjstudy example` uses it to show what a study leads to: a bundle, a report, an agreement report and
a replay, as static pages. All of it is made through the same pages and use cases as a real study.
"""
