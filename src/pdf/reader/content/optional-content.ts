import { Dict, isArray, Name, type PdfObject, Ref, type Resolver } from '../syntax/objects.js';

/** The layers that a viewer hides when the document is opened (ISO 32000-1, 8.11). */
export class OptionalContent {
  readonly #off = new Set<PdfObject>();

  constructor(
    root: Dict | undefined,
    readonly resolver?: Resolver,
  ) {
    const config = root?.dict('OCProperties')?.dict('D');
    if (config?.name('BaseState') === 'OFF') {
      const on = new Set(config.array('ON') ?? []);
      for (const group of root?.dict('OCProperties')?.array('OCGs') ?? []) {
        if (!on.has(group)) this.#off.add(group);
      }
    }
    for (const group of config?.array('OFF') ?? []) this.#off.add(group);
    for (const usage of config?.array('AS') ?? []) {
      if (usage instanceof Dict && usage.name('Event') === 'View') this.#applyUsage(usage);
    }
  }

  /** Groups whose usage says whether a viewer shows them (8.11.4.4). */
  #applyUsage(usage: Dict): void {
    const isForView = (usage.array('Category') ?? []).some(
      (category) => category instanceof Name && category.text === 'View',
    );
    for (const group of isForView ? (usage.array('OCGs') ?? []) : []) {
      const state =
        group instanceof Dict ? group.dict('Usage')?.dict('View')?.name('ViewState') : undefined;
      if (state === 'OFF') this.#off.add(group);
      else if (state === 'ON') this.#off.delete(group);
    }
  }

  /** True when content of this group or membership of groups is hidden. */
  hides(group: Dict | undefined): boolean {
    if (group === undefined) return false;
    // A membership may hide its content because a group is on.
    if (group.name('Type') !== 'OCMD') return this.#off.has(group);
    const expression = group.array('VE');
    if (expression !== undefined) return !this.#holds(expression, 0);
    const single = group.get('OCGs');
    const members = single instanceof Dict ? [single] : (group.array('OCGs') ?? []);
    const off = members.filter((member) => this.#off.has(member)).length;
    const policy = group.name('P') ?? 'AnyOn';
    if (policy === 'AllOn') return off > 0;
    if (policy === 'AnyOff') return off === 0;
    if (policy === 'AllOff') return off < members.length;
    return members.length > 0 && off === members.length;
  }

  /** A visibility expression (8.11.2.2): And, Or and Not over groups. */
  #holds(value: PdfObject, depth: number): boolean {
    if (!isArray(value) || depth > 16) return !this.#off.has(value);
    const [operator, ...operands] = value;
    const results = operands.map((operand) =>
      this.#holds(
        operand instanceof Ref ? (this.resolver?.resolve(operand) ?? null) : operand,
        depth + 1,
      ),
    );
    const name = operator instanceof Name ? operator.text : '';
    if (name === 'Not') return results[0] === false;
    return name === 'Or' ? results.some(Boolean) : results.every(Boolean);
  }
}

/** Open marked content (ISO 32000-1, 14.6), as far as it hides its content. */
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
