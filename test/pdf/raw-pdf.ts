import { Buffer } from 'node:buffer';

/** The parts of a PDF that a test writes object by object. */
export interface RawPdf {
  /** The content stream of each page. */
  pages: string[];
  /** Entries of each page's resources beside the fonts, e.g. `/XObject << /Form 9 0 R >>`. */
  resources?: string;
  /** More fonts of each page, e.g. `/Odd 20 0 R`. */
  fonts?: string;
  /** Entries of each page, e.g. `/Rotate 90`. */
  page?: string;
  /** Entries of the catalog. */
  catalog?: string;
  /** Further objects by number, from 20 on: a dictionary, or a stream as [dictionary entries, data]. */
  objects?: Record<number, string | [string, string | Uint8Array]>;
  /** Entries of the trailer. */
  trailer?: string;
}

const widths = Array.from({ length: 95 }, () => 500).join(' ');

function bytesOf(data: string | Uint8Array): Uint8Array {
  return typeof data === 'string' ? Buffer.from(data, 'latin1') : data;
}

/**
 * A PDF with exactly the given bytes and pages of 600 by 800 points. /F1 is Helvetica with letters of half an em, /B
 * the same in bold, and /M in Courier.
 */
export function rawPdf(raw: RawPdf): Uint8Array {
  const font = (name: string) =>
    `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding /FirstChar 32 /LastChar 126 /Widths [${widths}] >>`;
  const objects = new Map<number, string | [string, string | Uint8Array]>([
    [1, `<< /Type /Catalog /Pages 2 0 R ${raw.catalog ?? ''} >>`],
    [3, font('Helvetica')],
    [4, font('Helvetica-Bold')],
    [5, font('Courier')],
  ]);
  const kids = raw.pages.map((content, index) => {
    const num = 100 + 2 * index;
    objects.set(
      num,
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents ${num + 1} 0 R /Resources << /Font << /F1 3 0 R /B 4 0 R /M 5 0 R ${raw.fonts ?? ''} >> ${raw.resources ?? ''} >> ${raw.page ?? ''} >>`,
    );
    objects.set(num + 1, ['', content]);
    return `${num} 0 R`;
  });
  objects.set(2, `<< /Type /Pages /Count ${kids.length} /Kids [${kids.join(' ')}] >>`);
  for (const [num, object] of Object.entries(raw.objects ?? {})) objects.set(Number(num), object);
  const parts: Uint8Array[] = [bytesOf('%PDF-1.7\n')];
  let length = parts[0]?.length ?? 0;
  const add = (data: string | Uint8Array) => {
    const bytes = bytesOf(data);
    parts.push(bytes);
    length += bytes.length;
  };
  const offsets = new Map<number, number>();
  for (const [num, object] of objects) {
    offsets.set(num, length);
    if (typeof object === 'string') add(`${num} 0 obj\n${object}\nendobj\n`);
    else {
      const data = bytesOf(object[1]);
      add(`${num} 0 obj\n<< /Length ${data.length} ${object[0]} >>\nstream\n`);
      add(data);
      add('\nendstream\nendobj\n');
    }
  }
  const size = Math.max(...objects.keys()) + 1;
  const start = length;
  const entry = (offset: number, kind: string) =>
    `${String(offset).padStart(10, '0')} 00000 ${kind} \n`;
  add(`xref\n0 ${size}\n0000000000 65535 f \n`);
  for (let num = 1; num < size; num++) {
    const offset = offsets.get(num);
    add(offset === undefined ? entry(0, 'f') : entry(offset, 'n'));
  }
  add(
    `trailer\n<< /Size ${size} /Root 1 0 R ${raw.trailer ?? ''} >>\nstartxref\n${start}\n%%EOF\n`,
  );
  return new Uint8Array(Buffer.concat(parts));
}
