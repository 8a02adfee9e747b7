/**
 * The objects that a PDF file is made of (ISO 32000-1, 7.3). Strings are binary: one character per byte.
 * References resolve when a dictionary is asked, so that cycles and missing objects cost nothing until they are met.
 */
export type PdfObject =
  null | boolean | number | string | Name | Ref | Dict | Stream | readonly PdfObject[];

/** A name such as /Type. Names of one spelling are one object as a rule; compare their texts. */
export class Name {
  static readonly #known = new Map<string, Name>();

  private constructor(readonly text: string) {}

  static of(text: string): Name {
    const known = Name.#known.get(text);
    if (known !== undefined) return known;
    const name = new Name(text);
    // Hostile files hold names without end, and a thread lives long.
    if (Name.#known.size < 50_000) Name.#known.set(text, name);
    return name;
  }
}

export class Ref {
  constructor(
    readonly num: number,
    readonly gen: number,
  ) {}
}

/** Where references lead. Answers null for what is not there, as the specification wants. */
export interface Resolver {
  resolve(ref: Ref): PdfObject;
}

/** A dictionary. Each getter answers undefined where the value is missing or of another type. */
export class Dict {
  readonly entries = new Map<string, PdfObject>();

  constructor(readonly resolver: Resolver) {}

  /** The value behind any reference; null where there is none. */
  get(key: string): PdfObject {
    const value = this.entries.get(key) ?? null;
    return value instanceof Ref ? this.resolver.resolve(value) : value;
  }

  name(key: string): string | undefined {
    const value = this.get(key);
    return value instanceof Name ? value.text : undefined;
  }

  number(key: string): number | undefined {
    const value = this.get(key);
    return typeof value === 'number' ? value : undefined;
  }

  string(key: string): string | undefined {
    const value = this.get(key);
    return typeof value === 'string' ? value : undefined;
  }

  /** A dictionary, or that of a stream. */
  dict(key: string): Dict | undefined {
    const value = this.get(key);
    if (value instanceof Dict) return value;
    return value instanceof Stream ? value.dict : undefined;
  }

  stream(key: string): Stream | undefined {
    const value = this.get(key);
    return value instanceof Stream ? value : undefined;
  }

  /** An array whose own references are resolved. */
  array(key: string): PdfObject[] | undefined {
    const value = this.get(key);
    if (!isArray(value)) return undefined;
    return value.map((each) => (each instanceof Ref ? this.resolver.resolve(each) : each));
  }

  /** An array's numbers; undefined where any element is none. */
  numbers(key: string): number[] | undefined {
    const value = this.array(key);
    return value?.every((each) => typeof each === 'number') === true ? value : undefined;
  }
}

/** A stream: its dictionary, and its bytes behind their filters. */
export class Stream {
  constructor(
    readonly dict: Dict,
    /** The bytes as they stand in the file, decrypted. */
    readonly encoded: () => Uint8Array,
    readonly decode: (stream: Stream) => Uint8Array,
  ) {}

  /** The bytes without their filters. Throws what `decode` throws. */
  bytes(): Uint8Array {
    return this.decode(this);
  }
}

export function isArray(value: PdfObject): value is readonly PdfObject[] {
  return Array.isArray(value);
}

/** This reader can't make sense of a file, or of a page: a more patient one may. */
export class NotUnderstood extends Error {}

/** What stands before an operator. */
export type Operands = readonly PdfObject[];

export function numberAt(operands: Operands, index: number): number {
  const value = operands[index];
  return typeof value === 'number' ? value : 0;
}
