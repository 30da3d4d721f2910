"""Numbers from a seed."""

from typing import Any


class Dice:
    """Numbers from a seed, the same with every version of Python."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def below(self, n: int) -> int:
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % n

    def one(self, values: Any) -> Any:
        return values[self.below(len(values))]

    def some(self, values: list, least: int = 2, most: int = 4) -> list:
        left, taken = list(values), []
        for _ in range(least + self.below(most - least + 1)):
            taken.append(left.pop(self.below(len(left))))
        return taken
