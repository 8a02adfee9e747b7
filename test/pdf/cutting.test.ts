import assert from 'node:assert/strict';
import { titleOf } from '../../src/sections/chapter.js';
import { assembleSections } from '../../src/pdf/sections/assemble.js';
import type { OutlineEntry } from '../../src/pdf/reader/syntax/bookmarks.js';
import type { Line } from '../../src/pdf/layout/page.js';
import { makePage } from './make-lines.js';

type Given = string | Partial<Line>;

const full = 'This line of running text fills the whole width of its column here';
const heading = (text: string, size = 16): Partial<Line> => ({ text, size, bold: true });
const body = (lines: number): Given[] => Array.from({ length: lines }, () => full);

function sectionsOf(pages: readonly Given[][], outline: OutlineEntry[] = [], sectionMinChars = 0) {
  const made = pages.map((lines, index) => makePage(index + 1, lines));
  return assembleSections(made, outline, '', { sectionMaxChars: 4000, sectionMinChars });
}

const titlesOf = (...given: Parameters<typeof sectionsOf>) =>
  sectionsOf(...given).map((section) => section.title);

describe('Cutting a document into sections', () => {
  it('keeps the title of every section that is long enough, even after short ones', () => {
    const pages = [
      [
        heading('Keys'),
        ...body(2),
        heading('Key F1', 13),
        'Help.',
        heading('Key F2', 13),
        'Rename.',
        heading('Shortcuts', 13),
        ...body(4),
        heading('Mouse', 13),
        ...body(4),
        heading('Pens'),
        ...body(4),
      ],
    ];
    assert.deepEqual(titlesOf(pages, [], 200), [
      'Keys',
      'Keys › Shortcuts',
      'Keys › Mouse',
      'Pens',
    ]);
  });

  it('joins adjacent short sections under their parent, and a single one to the section before', () => {
    const pages = [
      [
        heading('Printing'),
        heading('Local printers', 13),
        ...body(4),
        heading('Colours', 13),
        'All.',
        heading('Network printers', 13),
        ...body(4),
        heading('Paper', 13),
        full,
        heading('Ink', 13),
        full,
        heading('Scanning'),
        ...body(4),
      ],
    ];
    const found = sectionsOf(pages, [], 100);
    assert.deepEqual(
      found.map(({ title }) => title),
      ['Printing › Local printers, Colours', 'Printing › Network printers', 'Printing', 'Scanning'],
    );
    assert.match(found[0]?.content ?? '', /### Colours\n\nAll\.$/);
    assert.match(found[2]?.content ?? '', /^### Paper\n\nThis line.*\n\n### Ink\n\nThis line.*$/);
  });

  it('puts the introduction of a chapter above its first section', () => {
    const pages = [
      [heading('Backup'), 'Make copies.', heading('Disks', 13), ...body(4), heading('End'), full],
    ];
    const [first] = sectionsOf(pages, [], 200);
    assert.equal(first?.title, 'Backup › Disks');
    assert.match(first.content, /^### Backup\n\nMake copies\.\n\n### Disks\n\nThis line/);
  });

  it('makes one section of a title page and leaves its lines out of later titles', () => {
    const titlePage = [
      heading('Garden Manual', 24),
      heading('For beginners', 18),
      heading('Ann Author', 14),
      'This manual is for those who garden.',
    ];
    const chapters = Array.from({ length: 9 }, (_, at) => [
      heading(`Chapter about ${'abcdefghi'[at] ?? ''} plants`, 18),
      ...body(4),
    ]);
    const found = sectionsOf([titlePage, ...chapters], [], 200);
    assert.equal(found[0]?.title, 'Garden Manual');
    assert.match(
      found[0].content,
      /For beginners\n\nAnn Author\n\nThis manual is for those who garden\.$/,
    );
    assert.equal(found[1]?.title, 'Chapter about a plants');
    assert.equal(found.length, 10);
  });

  it('drops a title page that only names the document, its parts, authors and version', () => {
    const chapters = Array.from({ length: 9 }, (_, at) => [
      heading(`About ${'abcdefghi'[at] ?? ''} plants`, 18),
      ...body(4),
    ]);
    const cover = [heading('Garden Manual', 24), heading('Garden', 20), 'About c plants'];
    assert.equal(titlesOf([cover, ...chapters], [], 200)[0], 'About a plants');
    const imprint = [...cover.slice(0, 2), 'Ann Author, May 2022', 'Version 2.1'];
    assert.equal(titlesOf([imprint, ...chapters], [], 200)[0], 'About a plants');
    const told = [...cover.slice(0, 2), 'Sow only in the spring, not later.'];
    const [first] = sectionsOf([told, ...chapters], [], 200);
    assert.equal(first?.title, 'Garden Manual');
    assert.match(first.content, /not later\.$/, 'a sentence of the page is kept');
    assert.ok(titlesOf([cover]).length > 0, 'a document that is only a title page is kept');
  });

  it('puts the title and authors of a paper above its first section', () => {
    const pages = [
      [
        heading('On gardens', 20),
        heading('Ann Author', 14),
        'ann@example.com',
        heading('Abstract', 12),
        ...body(4),
        heading('Summary', 12),
        ...body(4),
      ],
    ];
    const found = sectionsOf(pages, [], 200);
    assert.deepEqual(
      found.map(({ title }) => title),
      ['On gardens', 'Summary'],
    );
    assert.match(found[0]?.content ?? '', /^On gardens\n\nAnn Author\n\nann@example/);
  });

  it('keeps the sections of a one-page card separate, even if each is short', () => {
    const card = [heading('Key card', 20)];
    for (const name of ['Files', 'Editing', 'Search', 'Help'])
      card.push(heading(name, 13), {
        text: full,
      });
    assert.deepEqual(titlesOf([card]).slice(-3), ['Editing', 'Search', 'Help']);
  });

  it('uses the name below the number of a part as its title', () => {
    const pages = [
      [heading('Part II', 14), heading('Plotting styles', 20), ...body(3), heading('Ink'), full],
    ];
    assert.equal(titlesOf(pages)[0], 'Plotting styles');
  });

  it('drops chapter numbers and appendix letters on lines of their own', () => {
    const pages = [
      [heading('Start'), ...body(3)],
      [
        { text: 'CHAPTER', bold: true },
        heading('FOUR', 14),
        { ...heading('Source packages'), y: 160 },
        ...body(3),
        { text: 'APPENDIX', bold: true, y: 400 },
        { text: 'A', bold: true, y: 430 },
        { ...heading('Licence'), y: 460 },
        full,
      ],
    ];
    const found = sectionsOf(pages);
    assert.deepEqual(
      found.map(({ title }) => title),
      ['Start', 'Source packages', 'Licence'],
    );
    assert.doesNotMatch(found.map(({ content }) => content).join(' '), /CHAPTER|FOUR|APPENDIX/);
  });

  it('matches the bookmark of a part whose number is on the line above its name', () => {
    const outline = [
      { title: 'I Plotting', level: 1, page: 1, y: 90 },
      { title: 'Lines', level: 2, page: 1, y: 150 },
      { title: 'A Licence', level: 1, page: 1, y: 190 },
    ];
    const pages = [['Part I', 'Plotting', full, 'Lines', full, 'Appendix A', 'Licence', full]];
    assert.deepEqual(titlesOf(pages, outline), ['Plotting', 'Plotting › Lines', 'Licence']);
  });

  it('finds headings by the target of their bookmark if the title is printed differently', () => {
    const outline = [
      { title: 'tool(1)', level: 1, page: 1, y: 0 },
      { title: 'NAME', level: 2, page: 1, y: 95 },
      { title: 'Espaciado optico', level: 2, page: 1, y: 120 },
      { title: 'Conguring the les', level: 2, page: 1, y: 145 },
      { title: 'Printing/Exporting', level: 1, page: 1, y: 170 },
    ];
    const bold = (text: string): Partial<Line> => ({ text, bold: true });
    const pages = [
      [
        ...[bold('NAME'), full, bold('Espaciado óptico'), full],
        ...[bold('Configuring the files'), full, bold('Printing and Exporting'), full],
      ],
    ];
    const found = sectionsOf(pages, outline);
    assert.deepEqual(
      found.map(({ title }) => title),
      [
        ...['tool(1) › NAME', 'tool(1) › Espaciado óptico'],
        ...['tool(1) › Configuring the files', 'Printing and Exporting'],
      ],
    );
  });

  it('names a part below the nearest heading, however long the path is', () => {
    const own = 'Storing information on particles: kinetic energy, potential energy';
    const path = ['A document whose title says very much', 'Advanced models of the authors', own];
    const part = 'The main difference here is the choice of the name of the field';
    assert.equal(titleOf([...path, part], 2), `${own} › ${part}`);
    assert.equal(titleOf([...path, part]), `${path[0] ?? ''} › ${part}`);
    assert.equal(titleOf(['Routines', own.repeat(2), part], 2), `Routines › ${part}`);
  });

  it('shortens the long name of a document before it leaves out chapters', () => {
    const name = `Disruptor: High performance alternative to bounded queues for exchanging ${'data '.repeat(9)}`;
    assert.equal(
      titleOf([name, 'The complexities of concurrency', 'The cost of locks']),
      'Disruptor: High performance alternative to bounded queues for exchanging data… › The complexities of concurrency › The cost of locks',
    );
    assert.equal(titleOf([name, 'Locks']), `${name} › Locks`);
  });

  it('takes no sentence, caption, address or lead-in for a title', () => {
    const apart = (text: string, y: number): Partial<Line> => ({ text, bold: true, y });
    const pages = [
      [
        ...[heading('Cables'), ...body(30)],
        ...[apart('See the chapter on plugs (page 9).', 460), full],
        ...[apart('Never put your fingers into a running fan!', 500), full],
        ...[apart('Figure 3-1. The connectors', 540), full],
        ...[apart('Abbildung 2: Anschlüsse', 580), full],
        ...[apart('support@example.com', 620), full],
        ...[apart('at https://example.com/manual.pdf for details', 660), full],
        ...[apart('Long cables. Do not pull them', 700), 'or you will break the plugs that hold'],
        ...[apart('Short cables', 740), full],
      ],
    ];
    assert.deepEqual(titlesOf(pages), ['Cables', 'Cables › Short cables']);
  });

  it('cuts a long part between bookmarks at its headings, but not at the labels of boxes', () => {
    const outline = [
      { title: 'Cables', level: 1, page: 1, y: 90 },
      { title: 'Plugs', level: 1, page: 3, y: 90 },
    ];
    const bold = (text: string): Partial<Line> => ({ text, bold: true, size: 13 });
    const pages = [
      [heading('Cables'), ...body(30), bold('Short cables'), ...body(25)],
      [...['Note', 'Note', 'Note'].flatMap((text) => [bold(text), full])],
      [heading('Plugs'), full, bold('Old plugs'), full],
    ];
    assert.deepEqual(titlesOf(pages, outline), ['Cables', 'Cables › Short cables', 'Plugs']);
  });

  it('keeps a sentence that ends in a colon together with the bold terms or captions below it', () => {
    const outline = [
      { title: 'Cables', level: 1, page: 1, y: 90 },
      { title: 'Plugs', level: 1, page: 3, y: 90 },
    ];
    const termsBelow = (leadIn: string): Given[][] => [
      [heading('Cables'), ...body(47), leadIn],
      [
        ...['-a (all)', '-c (copper)', '-f (fibre)'].flatMap((text, at): Given[] => [
          { text, bold: true, y: 100 + 40 * at },
          ...body(2),
        ]),
        { text: 'Listing of cables', bold: true, y: 240, x: 60 },
        { text: '$ cables -a', mono: true },
      ],
      [heading('Plugs'), full],
    ];
    const lines = ['Cables', 'Cables › -a (all)', 'Cables › -c (copper)', 'Cables › -f (fibre)'];
    const others = [...lines, 'Cables › Listing of cables', 'Plugs'];
    assert.deepEqual(titlesOf(termsBelow('They have names.'), outline), others);
    const found = sectionsOf(termsBelow('They have names:'), outline);
    assert.deepEqual(
      found.map(({ title }) => title),
      ['Cables', 'Cables › Listing of cables', 'Plugs'],
    );
    assert.match(found[0]?.content ?? '', /names:\n\n-a \(all\)\n\n[^#]*-f \(fibre\)/);
  });

  it('removes ascending chapter numbers, even if the sections have no numbers', () => {
    const pages = [
      [
        heading('1 Running'),
        full,
        ...['From a shell', 'From a menu', 'Errors', 'Speed'].flatMap((text) => [
          heading(text, 13),
          full,
        ]),
        heading('2 Updating'),
        full,
      ],
    ];
    const titles = titlesOf(pages);
    assert.equal(titles[0], 'Running');
    assert.equal(titles.at(-1), 'Updating');
  });

  it('ignores musical notes as titles, and joins letter-spaced titles', () => {
    const pages = [
      [heading('ª h hhh N h'), full, heading('W A R N I N G'), full, heading('Übung'), full],
    ];
    const titles = titlesOf(pages);
    assert.deepEqual(titles.slice(-2), ['WARNING', 'Übung']);
    assert.ok(!titles.some((title) => title.includes('hhh')));
  });
});

describe('Text stamped on every page', () => {
  const stamped = (...stamp: Partial<Line>[]) =>
    Array.from({ length: 6 }, (_, at): Given[] => [
      { text: `Lines of page ${'abcdef'[at] ?? ''} that differ`, y: 200 },
      { text: 'Name and signature', y: 400 },
      ...stamp,
    ]);
  const contentOf = (pages: Given[][]) =>
    sectionsOf(pages)
      .map(({ title, content }) => `${title}\n${content}`)
      .join('\n');

  it('is dropped: a watermark across the page, or a notice in the margin', () => {
    const content = contentOf(
      stamped(
        { text: 'DRAFT', y: 500, size: 90 },
        { text: 'Licensed to user 123', x: 575, right: 590, y: 600 },
      ),
    );
    assert.doesNotMatch(content, /DRAFT|Licensed/);
  });

  it('is distinguished from the labels of a form, which are kept', () => {
    assert.equal(contentOf(stamped()).match(/Name and signature/g)?.length, 6);
  });
});
