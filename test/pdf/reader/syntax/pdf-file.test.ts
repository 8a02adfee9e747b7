import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { deflateSync } from 'node:zlib';
import { openPdf } from '../../../../src/pdf/reader/open-pdf.js';
import { decodeTextString, readBookmarks } from '../../../../src/pdf/reader/syntax/bookmarks.js';
import { NotUnderstood } from '../../../../src/pdf/reader/syntax/objects.js';
import { contentOf, readPageTree } from '../../../../src/pdf/reader/syntax/page-tree.js';
import { PdfFile } from '../../../../src/pdf/reader/syntax/pdf-file.js';
import { rawPdf, type RawPdf } from '../../raw-pdf.js';

const hello = 'BT /F1 10 Tf 50 700 Td (Hello) Tj ET';

/** A file with its catalog, page tree and page in an object stream, and its cross-references in a stream. */
function compressedPdf(): Uint8Array {
  const objects = [
    [1, '<< /Type /Catalog /Pages 2 0 R >>'],
    [2, '<< /Type /Pages /Count 1 /Kids [3 0 R] >>'],
    [
      3,
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 6 0 R /Resources << /Font << /F1 4 0 R >> >> >>',
    ],
    [4, `<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>`],
  ] as const;
  let head = '';
  let body = '';
  for (const [num, text] of objects) {
    head += `${num} ${body.length} `;
    body += `${text} `;
  }
  const packed = deflateSync(Buffer.from(head + body));
  const content = Buffer.from(hello);
  const parts: Buffer[] = [Buffer.from('%PDF-1.5\n')];
  const offsets: number[] = [];
  const put = (num: number, dict: string, data: Buffer) => {
    offsets[num] = Buffer.concat(parts).length;
    parts.push(
      Buffer.from(`${num} 0 obj\n<< ${dict} /Length ${data.length} >>\nstream\n`),
      data,
      Buffer.from('\nendstream\nendobj\n'),
    );
  };
  put(5, `/Type /ObjStm /N ${objects.length} /First ${head.length} /Filter /FlateDecode`, packed);
  put(6, '', content);
  const row = (kind: number, first: number, second: number) =>
    Buffer.from([kind, first >> 8, first & 255, second]);
  const start = Buffer.concat(parts).length;
  const rows = Buffer.concat([
    row(0, 0, 0),
    ...objects.map((_, index) => row(2, 5, index)),
    row(1, offsets[5] ?? 0, 0),
    row(1, offsets[6] ?? 0, 0),
    row(1, start, 0),
  ]);
  put(7, '/Type /XRef /Size 8 /W [1 2 1] /Root 1 0 R /Filter /FlateDecode', deflateSync(rows));
  parts.push(Buffer.from(`startxref\n${start}\n%%EOF\n`));
  return new Uint8Array(Buffer.concat(parts));
}

function textOf(bytes: Uint8Array): string {
  const page = readPageTree(new PdfFile(bytes), 10).pages[0];
  return page === undefined ? '' : Buffer.from(contentOf(page)).toString('latin1').trim();
}

const replaced = (bytes: Uint8Array, from: string | RegExp, to: string) =>
  new Uint8Array(Buffer.from(Buffer.from(bytes).toString('latin1').replace(from, to), 'latin1'));

describe('The objects of a PDF file', () => {
  it('are found through a cross-reference table or a cross-reference stream', () => {
    assert.equal(textOf(rawPdf({ pages: [hello] })), hello);
    assert.equal(textOf(compressedPdf()), hello);
  });

  it('are found if other lines precede the header', () => {
    const mailed = Buffer.concat([
      Buffer.from('Content-Type: application/pdf\n\n'),
      rawPdf({ pages: [hello] }),
    ]);
    assert.equal(textOf(new Uint8Array(mailed)), hello);
  });

  it('are the newest version of each object in an incrementally saved file', () => {
    const first = Buffer.from(rawPdf({ pages: [hello] }));
    const previous = /startxref\n(\d+)/.exec(first.toString('latin1'))?.[1] ?? '';
    const object = `101 0 obj\n<< /Length 7 >>\nstream\nchanged\nendstream\nendobj\n`;
    const xref = `xref\n101 1\n${String(first.length).padStart(10, '0')} 00000 n \ntrailer\n<< /Size 102 /Root 1 0 R /Prev ${previous} >>\nstartxref\n${first.length + object.length}\n%%EOF\n`;
    assert.equal(
      textOf(new Uint8Array(Buffer.concat([first, Buffer.from(object + xref)]))),
      'changed',
    );
  });

  it('are read to their end if their stated length is wrong', () => {
    const wrong = replaced(
      rawPdf({ pages: [hello] }),
      `/Length ${hello.length}`,
      `/Length ${hello.length - 9}`,
    );
    assert.equal(textOf(wrong), hello);
  });

  it('are read by a repairing reader if the cross-references are broken', async () => {
    const good = rawPdf({ pages: [hello] });
    const shifted = replaced(good, /startxref\n\d+/, 'startxref\n12');
    assert.throws(() => new PdfFile(shifted), NotUnderstood);
    const pdf = openPdf(shifted);
    assert.deepEqual(
      (await pdf.readPage(1)).runs.map(({ run }) => run.text),
      ['Hello'],
    );
    await pdf.close();
  });

  it('are null if they refer to each other in a circle', () => {
    const loops: RawPdf = {
      pages: [hello],
      objects: { 20: '20 0 R', 21: '22 0 R', 22: '21 0 R' },
      catalog: '/Extra 20 0 R /More 21 0 R',
    };
    const root = new PdfFile(rawPdf(loops)).trailer.dict('Root');
    assert.equal(root?.get('Extra'), null);
    assert.equal(root.get('More'), null);
  });
});

describe('The pages of a PDF', () => {
  it('inherit missing values, and are counted by the pages that exist', () => {
    const file = new PdfFile(
      rawPdf({
        pages: [hello],
        objects: {
          2: '<< /Type /Pages /Count 99 /Rotate 90 /Kids [100 0 R 20 0 R] >>',
          20: '<< /Type /Pages /MediaBox [0 0 300 200] /Kids [21 0 R 22 0 R] >>',
          21: '<< /Type /Page >>',
          22: '<< /Type /Page /Rotate -180 /CropBox [200 150 10 20] >>',
        },
      }),
    );
    const { pages, numbers } = readPageTree(file, 10);
    assert.deepEqual(
      pages.map(({ box, quarters }) => [...box, quarters]),
      [
        [0, 0, 600, 800, 1],
        [0, 0, 300, 200, 1],
        [10, 20, 200, 150, 2],
      ],
    );
    assert.equal(numbers.get(22), 3);
    assert.equal(readPageTree(file, 2).pages.length, 2);
  });

  it('are each read once, even if the page tree contains itself', () => {
    const file = new PdfFile(
      rawPdf({
        pages: [hello],
        objects: { 2: '<< /Type /Pages /Kids [100 0 R 2 0 R 100 0 R] >>' },
      }),
    );
    assert.equal(readPageTree(file, 10).pages.length, 1);
  });
});

describe('The bookmarks of a PDF', () => {
  it('are returned in order with their level and page, found by reference, name or action', () => {
    const file = new PdfFile(
      rawPdf({
        pages: [hello, hello, hello],
        catalog:
          '/Outlines 20 0 R /Dests << /old [104 0 R /FitH 500] >> /Names << /Dests << /Kids [25 0 R] >> >>',
        objects: {
          20: '<< /First 21 0 R >>',
          21: '<< /Title (First) /Dest [100 0 R /XYZ 0 700 0] /First 22 0 R /Next 23 0 R >>',
          22: '<< /Title <FEFF00DC0062006500720020> /A << /S /GoTo /D (named) >> >>',
          23: '<< /Title (Broken) /Dest (nowhere) /Next 24 0 R >>',
          24: '<< /Title (Last) /Dest /old /Next 21 0 R >>',
          25: '<< /Names [(named) << /D [102 0 R /Fit] >>] >>',
        },
      }),
    );
    assert.deepEqual(readBookmarks(file, readPageTree(file, 10)), [
      { title: 'First', level: 1, page: 1, y: 100 },
      { title: 'Über ', level: 2, page: 2, y: undefined },
      { title: 'Last', level: 1, page: 3, y: 300 },
    ]);
  });
});

describe('Text strings', () => {
  it('are decoded from UTF-16, UTF-8 or PDFDocEncoding', () => {
    assert.equal(decodeTextString('\xfe\xff\x20\xac'), '€');
    assert.equal(decodeTextString('\xff\xfe\xac\x20'), '€');
    assert.equal(decodeTextString('\xef\xbb\xbf\xe2\x82\xac'), '€');
    assert.equal(decodeTextString('\xa0 \x85 \xfc'), '€ – ü');
  });
});
