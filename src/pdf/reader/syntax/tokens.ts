import { classOf, delimiter, hexDigits, isLetter, unescape, white } from './characters.js';
import { Dict, Name, NotUnderstood, Ref, type PdfObject, type Resolver } from './objects.js';

/** A bare word: an operator of a content stream, or obj, stream, R and similar words of the file. */
export class Keyword {
  static readonly #known = new Map<string, Keyword>();

  private constructor(readonly text: string) {}

  static of(text: string): Keyword {
    const known = Keyword.#known.get(text);
    if (known !== undefined) return known;
    const keyword = new Keyword(text);
    if (Keyword.#known.size < 2000) Keyword.#known.set(text, keyword);
    return keyword;
  }
}

/** undefined is the end of the bytes. */
export type Token = PdfObject | Keyword | undefined;

/** Deeper nesting is an attack on the stack. */
const maxDepth = 64;
/** Longer strings are cut out by the runtime; for shorter ones, reading letter by letter is faster. */
const shortString = 32;
const shortKeywords = new Map<number, Keyword>();
const closeArray = Keyword.of(']');
const closeDict = Keyword.of('>>');

/** Reads objects and keywords (ISO 32000-1, 7.2 and 7.3) from bytes. Lenient with numbers and strings, like viewers. */
export class Tokens {
  #depth = 0;
  readonly #buffer: Buffer;

  constructor(
    readonly bytes: Uint8Array,
    public at: number,
    /** Set for a file's body, where `12 0 R` is a reference. Content streams have no references. */
    readonly resolver: Resolver | undefined,
    readonly decryptString?: (text: string) => string,
  ) {
    this.#buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  next(): Token {
    const { bytes } = this;
    const { length } = bytes;
    let at = this.at;
    let code = 0;
    for (;;) {
      if (at >= length) {
        this.at = at;
        return undefined;
      }
      code = bytes[at] ?? 0;
      if (code === 0x25) {
        while (at < length && bytes[at] !== 10 && bytes[at] !== 13) at++;
      } else if (classOf[code] !== white) break;
      else at++;
    }
    this.at = at;
    if ((code >= 0x30 && code <= 0x39) || code === 0x2d || code === 0x2e || code === 0x2b) {
      const value = this.#number();
      return this.resolver === undefined ? value : this.#referenceOr(value);
    }
    if (code === 0x2f) return this.#name();
    if (code === 0x28) return this.#decrypted(this.#literal());
    if (code === 0x5b) return this.#array();
    if (code === 0x3c) {
      return bytes[at + 1] === 0x3c ? this.#dict() : this.#decrypted(this.#hex());
    }
    if (code === 0x5d) {
      this.at = at + 1;
      return closeArray;
    }
    if (code === 0x3e && bytes[at + 1] === 0x3e) {
      this.at = at + 2;
      return closeDict;
    }
    if (classOf[code] === delimiter) {
      this.at = at + 1;
      return Keyword.of(String.fromCharCode(code));
    }
    return this.#keyword();
  }

  /** The next object. Throws NotUnderstood for a keyword or the end of the bytes. */
  object(): PdfObject {
    const token = this.next();
    if (token === undefined || token instanceof Keyword) {
      throw new NotUnderstood(`no object at byte ${this.at}`);
    }
    return token;
  }

  skipWhite(): void {
    while (this.at < this.bytes.length && classOf[this.bytes[this.at] ?? 0] === white) this.at++;
  }

  #decrypted(text: string): string {
    return this.decryptString === undefined ? text : this.decryptString(text);
  }

  #number(): number {
    const { bytes } = this;
    let at = this.at;
    let negative = false;
    for (let code = bytes[at]; code === 0x2d || code === 0x2b; code = bytes[++at]) {
      negative ||= code === 0x2d;
    }
    let value = 0;
    let code = bytes[at] ?? 0;
    while (code >= 0x30 && code <= 0x39) {
      value = value * 10 + code - 0x30;
      code = bytes[++at] ?? 0;
    }
    if (code === 0x2e) {
      let digits = 0;
      let scale = 1;
      code = bytes[++at] ?? 0;
      while (code >= 0x30 && code <= 0x39) {
        if (scale < 1e12) {
          digits = digits * 10 + code - 0x30;
          scale *= 10;
        }
        code = bytes[++at] ?? 0;
      }
      value += digits / scale;
    }
    if (code === 0x65 || code === 0x45) {
      const exponent = this.#exponentAt(at);
      if (exponent !== undefined) {
        at = exponent.end;
        value *= exponent.factor;
        code = bytes[at] ?? 0;
      }
    }
    // Further characters ("1.2.3", "5-3") are not part of the number: viewers drop them too.
    while (code !== 0 && classOf[code] === 0 && at < bytes.length && !isLetter(code)) {
      code = bytes[++at] ?? 0;
    }
    this.at = at;
    return negative ? -value : value;
  }

  /** "e-05" behind a number. The standard has no such numbers, but programs that print with C's %g write them. */
  #exponentAt(at: number): { factor: number; end: number } | undefined {
    const [written] =
      /^e[+-]?\d{1,2}(?!\d)/i.exec(this.#text(at, Math.min(at + 5, this.bytes.length))) ?? [];
    return written === undefined
      ? undefined
      : { factor: Number(`1${written}`), end: at + written.length };
  }

  /** A reference such as `12 0 R`, or the number alone. */
  #referenceOr(value: number): PdfObject {
    if (value < 0 || !Number.isInteger(value) || value > 0xffffffff) return value;
    const { bytes } = this;
    let at = this.at;
    if (classOf[bytes[at] ?? 0] !== white) return value;
    while (classOf[bytes[at] ?? -1] === white) at++;
    let gen = 0;
    const from = at;
    for (let code = bytes[at] ?? 0; code >= 0x30 && code <= 0x39 && at - from < 6;) {
      gen = gen * 10 + code - 0x30;
      code = bytes[++at] ?? 0;
    }
    if (at === from || classOf[bytes[at] ?? 0] !== white) return value;
    while (classOf[bytes[at] ?? -1] === white) at++;
    if (bytes[at] !== 0x52 || classOf[bytes[at + 1] ?? 32] === 0) return value;
    this.at = at + 1;
    return new Ref(value, gen);
  }

  #name(): Name {
    const { bytes } = this;
    let at = this.at + 1;
    const from = at;
    let escaped = false;
    while (at < bytes.length && classOf[bytes[at] ?? 0] === 0) {
      escaped ||= bytes[at] === 0x23;
      at++;
    }
    this.at = at;
    const text = this.#text(from, at);
    return Name.of(
      escaped
        ? text.replace(/#([0-9a-f]{2})/gi, (_, hex: string) =>
            String.fromCharCode(parseInt(hex, 16)),
          )
        : text,
    );
  }

  #keyword(): Token {
    const { bytes } = this;
    const from = this.at;
    let at = from;
    while (at < bytes.length && classOf[bytes[at] ?? 0] === 0) at++;
    this.at = at;
    // Operators of one to three letters are most of a content stream. They are found without creating a string.
    if (at - from <= 3) {
      const key =
        (bytes[from] ?? 0) |
        (at - from > 1 ? (bytes[from + 1] ?? 0) << 8 : 0) |
        (at - from > 2 ? (bytes[from + 2] ?? 0) << 16 : 0);
      const known = shortKeywords.get(key);
      if (known !== undefined) return known;
      const keyword = Keyword.of(this.#text(from, at));
      if (shortKeywords.size < 2000) shortKeywords.set(key, keyword);
      return keyword;
    }
    // A long run of garbage is no operator, so no string of its length is created.
    const text = this.#text(from, Math.min(at, from + 40));
    if (text === 'true') return true;
    if (text === 'false') return false;
    if (text === 'null') return null;
    return Keyword.of(text);
  }

  #text(from: number, to: number): string {
    if (to - from > shortString) return this.#buffer.toString('latin1', from, to);
    let text = '';
    for (let at = from; at < to; at++) text += String.fromCharCode(this.bytes[at] ?? 0);
    return text;
  }

  #literal(): string {
    const { bytes } = this;
    const { length } = bytes;
    const from = this.at + 1;
    let at = from;
    let open = 1;
    let plain = true;
    for (; at < length; at++) {
      const code = bytes[at];
      if (code === 0x5c) {
        plain = false;
        at++;
      } else if (code === 0x28) open++;
      else if (code === 0x29 && --open === 0) break;
      else if (code === 13) plain = false;
    }
    this.at = Math.min(length, at + 1);
    return plain ? this.#text(from, at) : unescape(this.#buffer, from, Math.min(at, length));
  }

  #hex(): string {
    const { bytes } = this;
    let at = this.at + 1;
    let text = '';
    let high = -1;
    for (; at < bytes.length && bytes[at] !== 0x3e; at++) {
      const digit = hexDigits[bytes[at] ?? 0] ?? -1;
      if (digit < 0) continue;
      if (high < 0) high = digit;
      else {
        text += String.fromCharCode(high * 16 + digit);
        high = -1;
      }
    }
    if (high >= 0) text += String.fromCharCode(high * 16);
    this.at = at + 1;
    return text;
  }

  #array(): PdfObject[] {
    this.at++;
    this.#descend();
    const items: PdfObject[] = [];
    for (let token = this.next(); token !== closeArray; token = this.next()) {
      if (token === undefined) break;
      // Skips a stray keyword in an array, as viewers do.
      if (!(token instanceof Keyword)) items.push(token);
    }
    this.#depth--;
    return items;
  }

  #dict(): Dict {
    this.at += 2;
    this.#descend();
    const dict = new Dict(this.resolver ?? nowhere);
    for (let key = this.next(); key !== closeDict; key = this.next()) {
      if (key === undefined) break;
      if (!(key instanceof Name)) continue;
      const value = this.next();
      if (value === closeDict || value === undefined) break;
      if (!(value instanceof Keyword)) dict.entries.set(key.text, value);
    }
    this.#depth--;
    return dict;
  }

  #descend(): void {
    if (++this.#depth > maxDepth) throw new NotUnderstood('objects nested too deep');
  }
}

const nowhere: Resolver = { resolve: () => null };
