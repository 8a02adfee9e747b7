import { Dict } from '../syntax/objects.js';
import type { Glyph, PdfFont } from './font.js';
export function loadFont(dict: Dict): PdfFont {
  const composite = dict.name('Subtype') === 'Type0';
  const map = new Map<number, string>();
  const tu = dict.stream('ToUnicode');
  if (tu !== undefined) {
    const text = Buffer.from(tu.bytes()).toString('latin1');
    const u = (hex: string) => {
      const b = Buffer.from(hex, 'hex');
      return b.length % 2 ? '' : b.swap16().toString('utf16le');
    };
    for (const block of text.matchAll(/beginbfchar([^]*?)endbfchar/g))
      for (const m of (block[1] ?? '').matchAll(/<([0-9a-f]+)>\s*<([0-9a-f]+)>/gi))
        map.set(parseInt(m[1] ?? '', 16), u(m[2] ?? ''));
    for (const block of text.matchAll(/beginbfrange([^]*?)endbfrange/g))
      for (const m of (block[1] ?? '').matchAll(
        /<([0-9a-f]+)>\s*<([0-9a-f]+)>\s*(?:<([0-9a-f]+)>|\[([^\]]*)\])/gi,
      )) {
        const from = parseInt(m[1] ?? '', 16),
          to = parseInt(m[2] ?? '', 16);
        const list = [...(m[4] ?? '').matchAll(/<([0-9a-f]+)>/gi)].map((x) => u(x[1] ?? ''));
        for (let c = from; c <= to && c - from < 65536; c++)
          map.set(
            c,
            m[3] === undefined
              ? (list[c - from] ?? '')
              : ((s) =>
                  s.slice(0, -1) + String.fromCharCode(s.charCodeAt(s.length - 1) + c - from))(
                  u(m[3]),
                ),
          );
      }
  }
  const name = (dict.name('BaseFont') ?? '').replace(/^[A-Z]{6}\+/, '');
  const glyphs = new Map<number, Glyph>();
  const widths = dict.numbers('Widths') ?? [];
  const first = dict.number('FirstChar') ?? 0;
  const cid = (dict.array('DescendantFonts')?.[0] ?? null) as Dict | null;
  const w = new Map<number, number>();
  const W = cid?.array('W') ?? [];
  for (let i = 0; i < W.length;) {
    const a = W[i] as number,
      b = W[i + 1];
    if (Array.isArray(b)) {
      b.forEach((x, k) => w.set(a + k, x as number));
      i += 2;
    } else {
      for (let k = a; k <= (b as number); k++) w.set(k, W[i + 2] as number);
      i += 3;
    }
  }
  const get = (code: number): Glyph => {
    let g = glyphs.get(code);
    if (g === undefined) {
      const width = composite
        ? (w.get(code) ?? cid?.number('DW') ?? 1000)
        : (widths[code - first] ?? 500);
      g = {
        unicode: map.get(code) ?? String.fromCharCode(code),
        width: width / 1000,
        isSpace: !composite && code === 32,
      };
      glyphs.set(code, g);
    }
    return g;
  };
  return {
    name,
    vertical: false,
    understood: true,
    bold: /bold/i.test(name),
    italic: /ital|obl/i.test(name),
    mono: /mono|cour|tt/i.test(name),
    decode(text) {
      const out: Glyph[] = [];
      for (let i = 0; i < text.length; i += composite ? 2 : 1)
        out.push(
          get(composite ? text.charCodeAt(i) * 256 + text.charCodeAt(i + 1) : text.charCodeAt(i)),
        );
      return out;
    },
  };
}
