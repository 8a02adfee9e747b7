/** An object of a PDF: its text, or the entries of its dictionary and the bytes of its stream. */
export type RawObject = string | { dict: string; bytes: Uint8Array };

interface Layout {
  /** Entries of the trailer besides /Root and /Size. */
  trailer?: string;
  /** Replaces the usual cross-reference table and trailer. %START is replaced by its offset. */
  ending?: string;
}

/** A PDF of these objects (numbered from 1; the first is the catalog), each written as it is. */
export function writePdf(objects: readonly RawObject[], layout: Layout = {}): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')];
  let length = parts[0]?.length ?? 0;
  const add = (part: Buffer) => {
    parts.push(part);
    length += part.length;
  };
  const offsets: number[] = [];
  objects.forEach((object, index) => {
    offsets.push(length);
    add(Buffer.from(`${index + 1} 0 obj\n`));
    if (typeof object === 'string') add(Buffer.from(object, 'latin1'));
    else {
      const stated = object.dict.includes('/Length ') ? '' : `/Length ${object.bytes.length}`;
      add(Buffer.from(`<<${object.dict}${stated}>>\nstream\n`, 'latin1'));
      add(Buffer.from(object.bytes));
      add(Buffer.from('\nendstream'));
    }
    add(Buffer.from('\nendobj\n'));
  });
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`);
  const ending =
    layout.ending ??
    `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows.join('')}` +
      `trailer\n<</Root 1 0 R/Size ${objects.length + 1}${layout.trailer ?? ''}>>\n`;
  const start = length;
  add(Buffer.from(ending.replaceAll('%START', String(start)), 'latin1'));
  add(Buffer.from(`startxref\n${start}\n%%EOF\n`));
  return Buffer.concat(parts);
}

/** The dictionary entry of a stream compressed with FlateDecode. */
export const flate = '/Filter/FlateDecode';
