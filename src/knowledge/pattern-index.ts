/** URL patterns by their segments, so that a page meets those that match it without trying the others. */
export class PatternIndex {
  readonly #root: PatternNode = { children: new Map() };

  constructor(patterns: Iterable<string>) {
    for (const pattern of patterns) this.#add(pattern);
  }

  /** The patterns that match a normalised path, as matchesPattern has it, in no order. */
  matching(path: string): string[] {
    const found: string[] = [];
    collect(this.#root, path.split('/'), 0, found);
    return found;
  }

  #add(pattern: string): void {
    let node = this.#root;
    for (const segment of pattern.split('/')) {
      if (segment === '*') {
        (node.rest ??= []).push(pattern);
        return;
      }
      // However it is named, a `:name` stands for the same: any one segment.
      const isName = segment.startsWith(':') && segment.length > 1;
      const next = isName
        ? (node.name ??= { children: new Map() })
        : (node.children.get(segment) ?? { children: new Map() });
      if (!isName) node.children.set(segment, next);
      node = next;
    }
    (node.ends ??= []).push(pattern);
  }
}

interface PatternNode {
  children: Map<string, PatternNode>;
  /** Below a `:name` segment. */
  name?: PatternNode;
  /** Patterns whose next segment is `*`. */
  rest?: string[];
  /** Patterns that end here. */
  ends?: string[];
}

function collect(node: PatternNode, parts: string[], index: number, found: string[]): void {
  if (node.rest !== undefined) found.push(...node.rest);
  const part = parts[index];
  if (part === undefined) {
    if (node.ends !== undefined) found.push(...node.ends);
    return;
  }
  const literal = node.children.get(part);
  if (literal !== undefined) collect(literal, parts, index + 1, found);
  if (node.name !== undefined && part !== '') collect(node.name, parts, index + 1, found);
}
