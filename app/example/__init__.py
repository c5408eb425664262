"""An example study with simulated people, models, a judge and annotators.

`hjstudy example` uses it to show the results of a study: a bundle, a report, an agreement report
and replays, as static pages. It goes through the same pages and use cases as a real study.
"""
