import assert from 'node:assert/strict';
import { Headings } from '../../../bench/pdf/headings.js';
import { findLeaks } from '../../../bench/pdf/leaks.js';
import { findLostText } from '../../../bench/pdf/lost-text.js';
import { bodyLines } from '../../../bench/pdf/page-edges.js';
import { ownTitle, textOf } from '../../../bench/pdf/quality.js';
import { stripMarkdown } from '../../../bench/pdf/truth.js';
import type { PdfSection } from '../../../src/documents/threads/extract-pdf.js';

const bodies = [
  'Networks carry packets.',
  'Disks keep files, and configu-\nration files too.',
  'Printers print.',
  'Keyboards are typed on.',
];
/** Four pages with a running head and a page number. */
const pages = bodies.map((body, index) => `The Manual\n${body}\nPage ${index + 1}`);

function section(title: string, content: string, page = 1): PdfSection {
  return { title, content, pageFrom: page, pageTo: page, language: 'en' };
}

describe('The measures of an extracted document', () => {
  it('ignore running heads, page numbers and tables of contents', () => {
    const contents = [
      'Contents',
      'Disks . . . . . 2',
      'Keys . . . . 4',
      'Print . . . 3',
      'Net . . . 1',
    ];
    assert.deepEqual(bodyLines([contents.join('\n'), ...pages]), [
      [],
      ...bodies.map((body) => body.split('\n')),
    ]);
  });

  it('keep a repeated line that is as frequent within pages as at their ends', () => {
    const notes = pages.map((page) => page.replace(/^The Manual/, 'Note\na\nb\nc\nNote\nd\ne\nf'));
    assert.ok(bodyLines(notes).every((lines) => lines.includes('Note')));
  });

  it('count words that no entry contains, except running heads and rejoined words', () => {
    const whole = bodies.join('\n').replace('-\n', '');
    assert.equal(findLostText(pages, whole).share, 0);
    const lost = findLostText(pages, whole.replace('Keyboards are typed on.', ''));
    assert.equal(lost.share, 4 / 16);
    assert.deepEqual(lost.examples, ['page 4: keyboards are typed on']);
  });

  it('find a title that is a numbered line, two lines, or a bookmark within the text', () => {
    const page =
      '3.2 Network settings\nText of it.\nA heading that takes\ntwo lines\nRun-in title. And text.';
    const headings = new Headings([page], ['Run-in title', 'Elsewhere']);
    const found = (title: string) => headings.holds(title, 1, 1);
    assert.ok(found('Network settings') && found('A heading that takes two lines'));
    assert.ok(found('Run-in title'));
    assert.ok(!found('Text') && !found('Elsewhere') && !found('settings'));
    assert.ok(!headings.holds('Network settings', 2, 3));
  });

  it('find page numbers, running heads, hyphenated words and repeated titles in entries', () => {
    const sections = [
      section('Networks', 'Networks carry packets.\n\nThe Manual\n\n7'),
      section('Disks', 'Disks keep configu-\n\n```\n12\nend-\n```\n\n| 3 |\n\nNetworks', 2),
      section('Networks › Printers', 'Networks', 3),
    ];
    const leaks = findLeaks(sections, pages, ownTitle);
    assert.deepEqual(leaks, {
      numbers: ['page 1, Networks: 7'],
      edges: ['page 1, Networks: The Manual'],
      hyphens: ['page 2, Disks: Disks keep configu-'],
      titles: ['page 2, Disks: Networks', 'page 3, Printers: Networks'],
    });
  });

  it('take an entry’s own title and its text as its words', () => {
    const document = {
      pageCount: 1,
      pagesWithoutText: [],
      recognizedPages: [],
      hiddenText: [],
      readBy: 'own' as const,
    };
    const sections = [section('Setup › Network', 'Plug it in.'), section('Use', 'Switch it on.')];
    assert.equal(textOf({ ...document, sections }), 'Network\nPlug it in.\n\nUse\nSwitch it on.');
  });

  it('take the words of a Markdown file without its marks', () => {
    const markdown =
      '# Title\n\n- a *b* [c](d.md)\n\n```sh\nrun `x`\n```\n\n| h | i |\n| - | - |\n| 1 | 2 |';
    assert.deepEqual(stripMarkdown(markdown).match(/\S+/g), [
      'Title',
      'a',
      'b',
      'c',
      'run',
      'x',
      'h',
      'i',
      '1',
      '2',
    ]);
  });
});
