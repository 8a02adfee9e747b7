import PDFDocument from 'pdfkit';

const words =
  `pump valve filter motor panel sensor alarm pressure temperature water supply drain cable switch safety service
  operator manual setting value start stop check replace clean open close connect measure record report night winter`.split(
    /\s+/,
  );

/** Numbers that look random and are the same in every run (a linear congruential generator). */
function* numbers(): Generator<number, never, undefined> {
  for (let state = 42; ; state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) yield state;
}

/** A manual of `pages` full pages: chapters with bookmarks and headings, running head, page numbers. */
export function longManual(pages: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const document = new PDFDocument({ size: 'A4', autoFirstPage: false, margin: 0 });
    const chunks: Buffer[] = [];
    document.on('data', (chunk: Buffer) => chunks.push(chunk));
    document.on('end', () => resolve(Buffer.concat(chunks)));
    document.on('error', reject);
    const random = numbers();
    const word = () => words[random.next().value % words.length] ?? 'pump';
    for (let page = 1; page <= pages; page++) {
      document.addPage().font('Helvetica').fontSize(9);
      document.text('Service manual', 60, 30, { lineBreak: false });
      document.text(String(page), 300, 810, { lineBreak: false });
      let y = 70;
      if (page % 2 === 1) {
        const title = `${word()} ${word()} ${page}`;
        document.outline.addItem(title);
        document.font('Helvetica-Bold').fontSize(16).text(title, 60, y, { lineBreak: false });
        y += 34;
      }
      document.font('Helvetica').fontSize(10);
      for (; y < 780; y += 14) {
        const line = Array.from({ length: 13 }, word).join(' ');
        document.text(y % 5 === 0 ? `${line}.` : line, 60, y, { lineBreak: false });
      }
    }
    document.end();
  });
}
