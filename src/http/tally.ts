/** Sums by account. */
export class Tally {
  readonly #sums = new Map<string, number>();
  all = 0;

  of(accountId: string): number {
    return this.#sums.get(accountId) ?? 0;
  }

  add(accountId: string, amount: number): void {
    const sum = this.of(accountId) + amount;
    this.all += amount;
    if (sum === 0) this.#sums.delete(accountId);
    else this.#sums.set(accountId, sum);
  }
}
