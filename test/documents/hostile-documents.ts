import { deflateRawSync } from 'node:zlib';
import type { DocumentKind } from '../../src/documents/document.js';
import { docx, odt, p, zipped } from './read.js';

export interface HostileDocument {
  kind: DocumentKind;
  make: () => Uint8Array;
  /** How it must end, if it is not left to its limits. */
  end?: string;
}

const many = 100_000;
const text = (content: string) => Buffer.from(content);

/** A ZIP archive with one part whose sizes are those that are stated. */
function lyingZip(name: string, packed: Buffer, size: number): Buffer {
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(8, 8);
  local.writeUInt32LE(packed.length, 18);
  local.writeUInt32LE(size, 22);
  local.writeUInt16LE(name.length, 26);
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(8, 10);
  entry.writeUInt32LE(packed.length, 20);
  entry.writeUInt32LE(size, 24);
  entry.writeUInt16LE(name.length, 28);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  const head = Buffer.concat([local, Buffer.from(name), packed]);
  end.writeUInt32LE(46 + name.length, 12);
  end.writeUInt32LE(head.length, 16);
  return Buffer.concat([head, entry, Buffer.from(name), end]);
}

const bomb = (): Buffer => deflateRawSync(Buffer.alloc(400 << 20, 0x20));

/** Files that attack a reader, by what they do. */
export const hostileDocuments: Record<string, HostileDocument> = {
  'elements a hundred thousand deep': {
    kind: 'html',
    make: () => text('<div>'.repeat(many) + 'deep'),
    end: 'damaged',
  },
  'elements ten thousand deep': {
    kind: 'html',
    make: () => text('<div>'.repeat(10_000) + 'deep'),
    end: 'completed',
  },
  'lists ten thousand deep': {
    kind: 'html',
    make: () => text('<ul><li>x'.repeat(9000)),
    end: 'completed',
  },
  'tables within tables': { kind: 'html', make: () => text('<table><tr><td>x'.repeat(6000)) },
  'a million ends without a beginning': {
    kind: 'html',
    make: () => text('<b>'.repeat(5000) + '</i>'.repeat(1_000_000)),
  },
  'cells over a billion columns and rows': {
    kind: 'html',
    make: () =>
      text(`<table>${'<tr><td colspan=999999999 rowspan=999999999>x'.repeat(2000)}</table>`),
  },
  'an attribute of ten megabytes': {
    kind: 'html',
    make: () => text(`<p title="${'x'.repeat(10 << 20)}">x</p>`),
    end: 'completed',
  },
  'two hundred thousand attributes': {
    kind: 'html',
    make: () =>
      text(`<p ${Array.from({ length: 2 * many }, (_, at) => `a${at}=1`).join(' ')}>x</p>`),
  },
  'entities that it declares itself': {
    kind: 'html',
    make: () => text('<!DOCTYPE html [<!ENTITY a "aaaaaaaa"><!ENTITY b "&a;&a;&a;">]><p>x &b;</p>'),
    end: 'completed',
  },
  'fifty megabytes of elements': { kind: 'html', make: () => Buffer.alloc(50 << 20, '<p>x ') },
  'a page of notes that name each other': {
    kind: 'html',
    make: () =>
      text(
        '<a href="#fn1">1</a><p id=fn1>x<a href="#fn2">2</a></p><p id=fn2>y<a href="#fn1">1</a></p>',
      ),
    end: 'completed',
  },
  'quotes a hundred thousand deep': { kind: 'markdown', make: () => text('>'.repeat(many) + ' x') },
  'lists two thousand deep': {
    kind: 'markdown',
    make: () => text(Array.from({ length: 2000 }, (_, at) => `${'  '.repeat(at)}- x`).join('\n')),
  },
  'a hundred thousand open brackets': {
    kind: 'markdown',
    make: () => text('['.repeat(many) + 'x'),
  },
  'a hundred thousand open emphases': { kind: 'markdown', make: () => text('*a_b'.repeat(many)) },
  'a table of fifty thousand columns': {
    kind: 'markdown',
    make: () => text(`${'|a'.repeat(50_000)}|\n${'|-'.repeat(50_000)}|\n${'|b'.repeat(50_000)}|`),
  },
  'a front matter of aliases': {
    kind: 'markdown',
    make: () =>
      text(
        `---\n${Array.from({ length: 30 }, (_, at) => `a${at}: &a${at} [*a${at - 1}, *a${at - 1}]`).join('\n')}\n---\nx`,
      ),
    end: 'completed',
  },
  'footnotes without an end': {
    kind: 'markdown',
    make: () => text('[^a]: x\n  y\n\n  '.repeat(20_000)),
  },
  'fifty megabytes of headings': {
    kind: 'markdown',
    make: () => Buffer.alloc(50 << 20, '# x\n\ny\n\n'),
  },
  'one line of fifty megabytes': { kind: 'text', make: () => Buffer.alloc(50 << 20, 'word ') },
  'four hundred thousand empty lines': {
    kind: 'text',
    make: () => text('\n'.repeat(4 * many) + 'x'),
    end: 'completed',
  },
  'one line of signs of an editor': {
    kind: 'text',
    make: () => text('-*-'.repeat(many) + ' oil'),
    end: 'completed',
  },
  'a heading of brackets that are never closed': {
    kind: 'text',
    make: () => text(`Ab${'a('.repeat(many)}b\n====\n\nText.`),
    end: 'completed',
  },
  'a paragraph of dots': {
    kind: 'docx',
    make: () => docx(p('.'.repeat(2 * many)) + p('Oil it.')),
    end: 'completed',
  },
  'lines that are each indented more': {
    kind: 'text',
    make: () => text(Array.from({ length: 5000 }, (_, at) => `${' '.repeat(at)}- x`).join('\n')),
  },
  'directives within directives': {
    kind: 'text',
    make: () =>
      text(Array.from({ length: 3000 }, (_, at) => `${' '.repeat(at)}.. note::`).join('\n\n')),
  },
  'a million underlined headings': {
    kind: 'text',
    make: () => text('ab\n===\n\n'.repeat(1_000_000)),
  },
  'bytes without any meaning': {
    kind: 'text',
    make: () => Buffer.from(Array.from({ length: many }, (_, at) => (at * 7919) % 256)),
  },
  'a part that unpacks to 400 MB': {
    kind: 'docx',
    make: () => lyingZip('word/document.xml', bomb(), 400 << 20),
    end: 'out_of_memory',
  },
  'a part that states a small size and is none': {
    kind: 'docx',
    make: () => lyingZip('word/document.xml', bomb(), 100),
    end: 'out_of_memory',
  },
  'an archive within itself': {
    kind: 'docx',
    make: () => docx(p('x'), { 'word/media/a.zip': docx(p('y')) }),
    end: 'completed',
  },
  'a directory that leads nowhere': {
    kind: 'docx',
    make: () => {
      const file = Buffer.from(docx(p('x')));
      file.writeUInt32LE(0xffffffff, file.length - 6);
      return file;
    },
    end: 'damaged',
  },
  'a file that was cut off': {
    kind: 'docx',
    make: () => docx(p('x')).subarray(0, 300),
    end: 'damaged',
  },
  'an entity of the machine': {
    kind: 'docx',
    make: () =>
      zipped({
        'word/document.xml':
          '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><w:document><w:body><w:p><w:r><w:t>x&e;</w:t></w:r></w:p></w:body></w:document>',
      }),
    end: 'completed',
  },
  'styles that are based on each other': {
    kind: 'docx',
    make: () =>
      docx(p('x', 'A'), {
        'word/styles.xml':
          '<w:styles><w:style w:styleId="A"><w:basedOn w:val="B"/></w:style><w:style w:styleId="B"><w:basedOn w:val="A"/></w:style></w:styles>',
      }),
    end: 'completed',
  },
  'text boxes in text boxes': {
    kind: 'docx',
    make: () => docx('<w:p><w:r><w:drawing><w:txbxContent>'.repeat(4000) + p('x')),
  },
  'a hundred thousand merged cells': {
    kind: 'docx',
    make: () =>
      docx(
        `<w:tbl>${`<w:tr><w:tc><w:tcPr><w:gridSpan w:val="99999999"/><w:vMerge/></w:tcPr>${p('x')}</w:tc></w:tr>`.repeat(20_000)}</w:tbl>`,
      ),
  },
  'a billion spaces in one element': {
    kind: 'odt',
    make: () => odt('<text:p>x<text:s text:c="1000000000"/>y</text:p>'),
    end: 'completed',
  },
  'lists of OpenDocument that are deep': {
    kind: 'odt',
    make: () => odt('<text:list><text:list-item><text:p>x</text:p>'.repeat(5000)),
  },
  'a content that is no XML': {
    kind: 'odt',
    make: () => odt('<text:p <<<>>> &&& ]]>'.repeat(1000)),
  },
  'an item of many items': {
    kind: 'html',
    make: () => text(`<ul><li><ul>${'<li>x'.repeat(20_000)}`),
    end: 'completed',
  },
  'a paragraph of many breaks': {
    kind: 'html',
    make: () => text(`<p>${'a<br>'.repeat(40_000)}`),
    end: 'completed',
  },
  'an item of many short lines': {
    kind: 'markdown',
    make: () => text(`- a${'\n  word'.repeat(30_000)}`),
    end: 'completed',
  },
};
