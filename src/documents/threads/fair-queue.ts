/**
 * A queue that serves several files in turns: a file of thousands of pages must not delay a short one beyond its time
 * limit. Work without a file, such as assembling sections, completes a file and goes first.
 */
export class FairQueue<Item> {
  readonly #byFile = new Map<number | undefined, Item[]>();

  constructor(readonly fileOf: (item: Item) => number | undefined) {}

  push(item: Item): void {
    const file = this.fileOf(item);
    const waiting = this.#byFile.get(file);
    if (waiting === undefined) this.#byFile.set(file, [item]);
    else waiting.push(item);
  }

  /** The next item in turn. */
  get first(): Item | undefined {
    return this.#nextOf(() => true)?.[1][0];
  }

  /** Takes the next item in turn, of the files whose next item `mayTake` allows. */
  shift(mayTake: (item: Item) => boolean = () => true): Item | undefined {
    const next = this.#nextOf(mayTake);
    if (next === undefined) return undefined;
    const [file, waiting] = next;
    const item = waiting.shift();
    // The rest of the file goes to the end of the queue.
    this.#byFile.delete(file);
    if (waiting.length > 0) this.#byFile.set(file, waiting);
    return item;
  }

  #nextOf(mayTake: (item: Item) => boolean): [number | undefined, Item[]] | undefined {
    const completing = this.#byFile.get(undefined);
    const inTurn: Iterable<[number | undefined, Item[]]> =
      completing === undefined ? this.#byFile : [[undefined, completing], ...this.#byFile];
    for (const [file, waiting] of inTurn) {
      const [item] = waiting;
      if (item !== undefined && mayTake(item)) return [file, waiting];
    }
    return undefined;
  }

  remove(item: Item): void {
    const file = this.fileOf(item);
    const left = this.#byFile.get(file)?.filter((each) => each !== item) ?? [];
    if (left.length > 0) this.#byFile.set(file, left);
    else this.#byFile.delete(file);
  }

  clear(): Item[] {
    const all = [...this.#byFile.values()].flat();
    this.#byFile.clear();
    return all;
  }

  get isEmpty(): boolean {
    return this.#byFile.size === 0;
  }
}
