/** Marked content that is open (ISO 32000-1, 14.6), as far as it hides what it holds. */
export class Marks {
  readonly #open: boolean[] = [];
  #hiding = 0;

  get hides(): boolean {
    return this.#hiding > 0;
  }

  get depth(): number {
    return this.#open.length;
  }

  begin(hides: boolean): void {
    this.#open.push(hides);
    if (hides) this.#hiding++;
  }

  end(): void {
    if (this.#open.pop() === true) this.#hiding--;
  }
}
