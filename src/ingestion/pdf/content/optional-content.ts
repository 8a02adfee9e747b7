import { Dict, type PdfObject } from '../syntax/objects.js';

/** Which layers a viewer leaves out when the document is opened (ISO 32000-1, 8.11). */
export class OptionalContent {
  readonly #off = new Set<PdfObject>();

  constructor(root: Dict | undefined) {
    const config = root?.dict('OCProperties')?.dict('D');
    if (config?.name('BaseState') === 'OFF') {
      const on = new Set(config.array('ON') ?? []);
      for (const group of root?.dict('OCProperties')?.array('OCGs') ?? []) {
        if (!on.has(group)) this.#off.add(group);
      }
    }
    for (const group of config?.array('OFF') ?? []) this.#off.add(group);
  }

  /** Whether content of this group, or of this membership of groups, is left out. */
  hides(group: Dict | undefined): boolean {
    if (group === undefined || this.#off.size === 0) return false;
    if (this.#off.has(group)) return true;
    if (group.name('Type') !== 'OCMD') return false;
    const single = group.get('OCGs');
    const members = single instanceof Dict ? [single] : (group.array('OCGs') ?? []);
    const off = members.filter((member) => this.#off.has(member)).length;
    const policy = group.name('P') ?? 'AnyOn';
    if (policy === 'AllOn') return off > 0;
    if (policy === 'AnyOff') return off === 0;
    if (policy === 'AllOff') return off < members.length;
    return members.length > 0 && off === members.length;
  }
}
