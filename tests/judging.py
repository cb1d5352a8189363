"""How the tests of the exercises judge thousands of submissions in little time."""

from rankedu.exercises.judge import judge
from rankedu.exercises.sandbox import call_quietly


class InProcess:
    """Calls without a process of their own, for functions known to be harmless: many more a second."""

    def __init__(self, function):
        self.function = function

    def call(self, args, seconds):
        return call_quietly(self.function, args)

    def close(self):
        pass


def verdict_on(ex, f, seed=0):
    return judge(ex, f, seed=seed, isolation=InProcess)
