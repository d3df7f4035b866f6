"""Background work. To add a kind of job:

1. Write a function that takes a `Run` (services/runs.py) in a module here: load in a short session, compute, store inside `run.apply()`.
   Call `run.progress(ratio)` as often as you like. Raise a DomainError to end the job with a sentence that the page shows.
   It may run twice (a worker died): the same job must then store the same thing.
2. List it in TASKS (registry.py) under its kind, `noun.verb`.
3. In the service that starts it: `jobs.enqueue(session, "noun.verb", {"upload_id": …}, project_id=…)`; the job exists with that transaction.
4. Show it with macros/job.html; it asks for itself again until it is finished.
"""
