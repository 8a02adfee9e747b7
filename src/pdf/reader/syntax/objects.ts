/**
 * The objects of a PDF file (ISO 32000-1, 7.3). Strings are binary: one character per byte. References are resolved
 * only when a dictionary is read, so that cycles and missing objects cost nothing until then.
 */
export type PdfObject =
  | null
  | boolean
  | number
  | string
  | Name
  | Ref
  | Dict
  | Stream
  | readonly PdfObject[];

/** A name such as /Type. Equal names are usually one object, but compare their texts. */
export class Name {
  static readonly #known = new Map<string, Name>();

  private constructor(readonly text: string) {}

  static of(text: string): Name {
    const known = Name.#known.get(text);
    if (known !== undefined) return known;
    const name = new Name(text);
    // Limited, because hostile files contain endless names and a thread lives long.
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

/** Resolves references. Returns null for a missing object, as the specification requires. */
export interface Resolver {
  resolve(ref: Ref): PdfObject;
}

/** A dictionary. Each getter returns undefined when the value is missing or has another type. */
export class Dict {
  readonly entries = new Map<string, PdfObject>();

  constructor(readonly resolver: Resolver) {}

  /** The value with its reference resolved; null when there is none. */
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

  /** A dictionary, or a stream's dictionary. */
  dict(key: string): Dict | undefined {
    const value = this.get(key);
    if (value instanceof Dict) return value;
    return value instanceof Stream ? value.dict : undefined;
  }

  stream(key: string): Stream | undefined {
    const value = this.get(key);
    return value instanceof Stream ? value : undefined;
  }

  /** An array with its references resolved. */
  array(key: string): PdfObject[] | undefined {
    const value = this.get(key);
    if (!isArray(value)) return undefined;
    return value.map((each) => (each instanceof Ref ? this.resolver.resolve(each) : each));
  }

  /** An array of numbers; undefined when an element is not a number. */
  numbers(key: string): number[] | undefined {
    const value = this.array(key);
    return value?.every((each) => typeof each === 'number') === true ? value : undefined;
  }
}

/** A stream: its dictionary, and its bytes before the filters are removed. */
export class Stream {
  constructor(
    readonly dict: Dict,
    /** The decrypted bytes of the file, with filters. */
    readonly encoded: () => Uint8Array,
    readonly decode: (stream: Stream) => Uint8Array,
  ) {}

  /** The bytes without filters. Throws the errors of `decode`. */
  bytes(): Uint8Array {
    return this.decode(this);
  }
}

export function isArray(value: PdfObject): value is readonly PdfObject[] {
  return Array.isArray(value);
}

/** This reader does not understand a file or page. Another reader may. */
export class NotUnderstood extends Error {}

/** The objects before an operator. */
export type Operands = readonly PdfObject[];

export function numberAt(operands: Operands, index: number): number {
  const value = operands[index];
  return typeof value === 'number' ? value : 0;
}
