// Numbers from a seed, the same with every version of Node.
export class Dice {
  #state

  constructor(seed) {
    this.#state = BigInt(seed)
  }

  below(n) {
    this.#state = (this.#state * 6364136223846793005n + 1442695040888963407n) % 2n ** 64n
    return Number((this.#state >> 33n) % BigInt(n))
  }

  one(values) {
    return values[this.below(values.length)]
  }

  some(values, least = 2, most = 4) {
    const left = [...values]
    return Array.from({ length: least + this.below(most - least + 1) }, () => left.splice(this.below(left.length), 1)[0])
  }
}
