import assert from 'node:assert/strict';
import { assembleSections } from '../../src/pdf/sections/assemble.js';
import { dropFurniture } from '../../src/pdf/sections/furniture.js';
import { openingTitle } from '../../src/pdf/sections/opening.js';
import type { OutlineEntry } from '../../src/pdf/reader/syntax/bookmarks.js';
import type { Line, PageLines } from '../../src/pdf/layout/page.js';
import { makePage } from './make-lines.js';

const full = 'This line of running text fills the whole width of its column here';

function sectionsOf(
  pages: readonly PageLines[],
  sectionMinChars = 0,
  outline: readonly OutlineEntry[] = [],
) {
  return assembleSections(pages, outline, 'The manual', { sectionMaxChars: 4000, sectionMinChars });
}

function titlesOf(lines: readonly (string | Partial<Line>)[]): string[] {
  return sectionsOf([makePage(1, lines)]).map(({ title }) => title);
}

const title = (text: string, size = 16): Partial<Line> => ({ text, size, bold: true });
/** Bold lines in the text's size, apart from the text above. */
const boldAt = (text: string, y: number): Partial<Line> => ({ text, bold: true, y });

describe('Headings', () => {
  it('are short words behind a long number, and bold lines with space above a lesser heading', () => {
    const found = titlesOf([
      title('4.5.25. SOLVE', 12),
      `${full}.`,
      { ...title('4.5.26. TEAM', 12), y: 130 },
      { text: `${full}.`, y: 150 },
      { ...title('4.6 Menus', 11), y: 190 },
      { ...title('4.6.1 Files', 10), y: 212 },
      { text: `${full}.`, y: 230 },
    ]);
    assert.deepEqual(found, ['SOLVE', 'TEAM', 'Menus › Files']);
  });

  it('may stand above the first one that counts below them, in the same type', () => {
    const text = Array<string>(4).fill(full);
    const found = titlesOf([
      boldAt('1 Introduction', 100),
      ...text,
      boldAt('2 Bibliographies', 190),
      boldAt('2.1 Packages', 205),
      ...text,
      boldAt('2.2 Approaches', 300),
      ...text,
    ]);
    assert.deepEqual(found, [
      'Introduction',
      'Bibliographies › Packages',
      'Bibliographies › Approaches',
    ]);
  });

  it('may recur below other headings if each has the text of a section, which no label of a box has', () => {
    const section = Array.from({ length: 18 }, () => `${full}.`);
    const parts = (name: string) =>
      ['Sampling', 'Rescaling', 'Alignment'].flatMap((text) => [
        title(text),
        ...section.slice(0, 2),
        { text: name, bold: true },
        ...section,
      ]);
    const found = (name: string) => {
      let y = 60;
      const lines = parts(name).map((line) => {
        y += typeof line === 'string' ? 12 : 30;
        return typeof line === 'string' ? { text: line, y } : { ...line, y };
      });
      return titlesOf(lines);
    };
    assert.deepEqual(found('Overview').slice(0, 3), [
      'Sampling',
      'Sampling › Overview',
      'Rescaling',
    ]);
    assert.deepEqual(found('Note'), ['Sampling', 'Rescaling', 'Alignment']);
  });

  it('with numbers are not joined by the captions of listings', () => {
    const code = (text: string): Partial<Line> => ({ text, mono: true });
    const found = titlesOf([
      ...['1.1 Install', '1.2 Update', '1.3 Remove'].flatMap((text, at) => [
        title(text, 14),
        `${full}.`,
        boldAt(`How to ${text.slice(4)} a package`, 130 + 100 * at),
        code('# apt-get remove rig'),
        { text: `${full}.`, y: 170 + 100 * at },
      ]),
    ]);
    assert.deepEqual(found, ['Install', 'Update', 'Remove']);
  });

  it('without a number are below the numbered ones in larger type', () => {
    const found = titlesOf([
      title('1 Patterns', 20),
      full,
      title('1.1 Defining a pattern'),
      full,
      boldAt('Example A: the first chord', 190),
      full,
      boldAt('1. Create the file', 230),
      full,
      title('1.2 Using a pattern'),
      full,
      title('2 Grooves', 20),
      full,
    ]);
    assert.deepEqual(found, [
      'Patterns',
      'Patterns › Defining a pattern',
      'Patterns › Defining a pattern › Example A: the first chord',
      'Patterns › Defining a pattern › Create the file',
      'Patterns › Using a pattern',
      'Grooves',
    ]);
  });

  it('are not bold heads whose line goes on with the text', () => {
    const lead = { text: 'Spectra of the samples in the first hour of it.', bold: true };
    const text = `${lead.text} The`;
    const found = titlesOf([title('Results'), full, { ...boldAt(text, 140), lead }, full]);
    assert.deepEqual(found, ['Results']);
  });

  it('are not the numbered references of a list in bold type', () => {
    const found = titlesOf([
      title('Bibliography'),
      full,
      boldAt('1. Rapp, Geometric Geodesy, Part I and', 140),
      'Surveying, Columbus, 1984',
      boldAt('2. Rapp, Geometric Geodesy, Part II and', 170),
      'Surveying, Columbus, 1987',
      boldAt('3. Snyder, Map Projections', 200),
      'A Working Manual, 1987',
      title('Ellipsoids'),
      full,
    ]);
    assert.deepEqual(found, ['Bibliography', 'Ellipsoids']);
  });

  it('are below one in their style that stands directly above and has a number or capitals', () => {
    const found = titlesOf([
      title('Primers', 20),
      full,
      title('1. The module'),
      { ...title('Start'), y: 160 },
      full,
      title('Toolbar'),
      full,
      title('2. The report'),
      full,
      title('FILES'),
      { ...title('Log file'), y: 280 },
      full,
      title('Annex', 20),
      full,
    ]);
    assert.deepEqual(found, [
      'Primers',
      'Primers › The module › Start',
      'Primers › The module › Toolbar',
      'Primers › The report',
      'Primers › FILES › Log file',
      'Annex',
    ]);
  });

  it('have exactly the type of those with a bookmark if they have none', () => {
    const text = Array<string>(4).fill(full);
    const outline = ['Scope', 'Method'].map((name, at) => {
      return { title: name, level: 1, page: 1, y: 195 + 100 * at };
    });
    const found = sectionsOf(
      [
        makePage(1, [
          { ...title('Abstract', 11), y: 100 },
          ...text,
          { ...title('Scope', 11), y: 200 },
          ...text,
          { ...title('Lamp', 11.2), y: 270 },
          { ...title('Method', 11), y: 300 },
          ...text,
          { ...title('Files can be had from the', 11), y: 400 },
          ...text,
        ]),
      ],
      0,
      outline,
    );
    assert.deepEqual(
      found.map((section) => section.title),
      ['Abstract', 'Scope', 'Method'],
    );
  });

  it('are no larger letters of a drawing between two bookmarks', () => {
    const text = Array<string>(50).fill(full);
    const drawing = (text: string, y: number) => ({ text, size: 21, y });
    const found = sectionsOf(
      [
        makePage(1, [{ ...title('Scope', 14), y: 60 }, ...text]),
        makePage(2, [
          drawing('RGB TEXT', 130),
          drawing('CMYK TEXT', 180),
          { text: 'Figure 3: A file with mixed content.', y: 220 },
          { text: full, y: 250 },
          full,
          { ...title('Method', 14), y: 300 },
          ...text.slice(0, 4),
        ]),
      ],
      0,
      ['Scope', 'Method'].map((name, at) => ({
        title: name,
        level: 1,
        page: at + 1,
        y: at === 0 ? 55 : 295,
      })),
    );
    assert.deepEqual(
      found.map((section) => section.title).filter((name) => name.includes('TEXT')),
      [],
    );
  });

  it('stand below the number that theirs begins with, even where it touches the title', () => {
    const names = ['1 Tools', '1.1 Lathe', '1.1.1Before the start', 'Notes', '1.2 Saw', '2 Plans'];
    const text = Array<string>(4).fill(full);
    const lines = names.flatMap((name, at) => [{ ...title(name), y: 100 + 80 * at }, ...text]);
    // The bookmarks have all numbers side by side.
    const outline = names.map((name, at) => ({
      title: name.replace('Before', ' Before'),
      level: at === 3 ? 2 : 1,
      page: 1,
      y: 95 + 80 * at,
    }));
    const found = sectionsOf([makePage(1, lines)], 0, outline);
    assert.deepEqual(
      found.map((section) => section.title),
      [
        'Tools',
        'Tools › Lathe',
        'Tools › Lathe › Before the start',
        'Tools › Lathe › Before the start › Notes',
        'Tools › Saw',
        'Plans',
      ],
    );
    assert.match(found[2]?.content ?? '', /^### 1\.1\.1 Before the start$/m);
  });

  it('of contents are not the chapter of what comes after them', () => {
    const outline = [
      { title: 'Index', level: 1, page: 1, y: 100 },
      { title: 'Introduction', level: 2, page: 1, y: 124 },
      { title: 'Scope', level: 2, page: 1, y: 148 },
    ];
    const page = makePage(1, [
      title('Index'),
      'what the report is about',
      title('Introduction'),
      full,
      title('Scope'),
      full,
    ]);
    const found = sectionsOf([page], 0, outline).map((section) => section.title);
    assert.deepEqual(found, ['Index', 'Introduction', 'Scope']);
  });

  it('without text join the section before them', () => {
    const page = makePage(1, [
      title('Reports', 20),
      full,
      title('Invoice'),
      ...Array<string>(12).fill(full),
      title('Voucher'),
      { ...title('Settings', 20), y: 330 },
      ...Array<string>(12).fill(full),
    ]);
    const found = sectionsOf([page], 200);
    assert.deepEqual(
      found.map((section) => section.title),
      ['Reports › Invoice', 'Settings'],
    );
    assert.match(found[0]?.content ?? '', /### Voucher$/);
  });
});

describe('Numbered headings without text', () => {
  it('are left out, with the lesser ones below them that have none either', () => {
    const text = Array<string>(4).fill(full);
    const found = sectionsOf([
      makePage(1, [
        title('1 Models', 20),
        { ...title('1.1 Jumping'), y: 120 },
        ...text,
        { ...title('1.2 Values'), y: 200 },
        { ...title('1.2.1 Defaults', 14), y: 220 },
        { ...title('1.3 Samples'), y: 240 },
        { ...title('1.3.1 Moves', 14), y: 260 },
        ...text,
        title('2 Plots', 20),
        ...text,
      ]),
    ]);
    assert.deepEqual(
      found.map(({ title: path, content }) => [path, content.match(/### .*/g)?.join(' ')]),
      [
        ['Models › Jumping', '### 1 Models ### 1.1 Jumping'],
        ['Models › Samples › Moves', '### 1.3 Samples ### 1.3.1 Moves'],
        ['Plots', '### 2 Plots'],
      ],
    );
  });
});

describe('The label of a chapter', () => {
  // Most of the text is small type in tables.
  const table = Array.from({ length: 20 }, () => ({ text: full, size: 8 }));
  const text = Array.from({ length: 10 }, () => full);
  const openingWith = (next: Partial<Line>) => [
    title('Sensors'),
    ...table,
    { text: 'Appendix A', size: 16, y: 400 },
    { y: 430, ...next },
    { text: full, y: 460 },
    ...text,
  ];

  it('takes in the title below it', () => {
    const found = titlesOf(openingWith({ text: 'Thermal sensors', size: 16 }));
    assert.deepEqual(found, ['Sensors', 'Sensors › Thermal sensors']);
  });

  it('does not take in smaller text below it', () => {
    const found = titlesOf(openingWith({ text: full }));
    assert.deepEqual(found, ['Sensors', 'Sensors › Appendix A']);
  });
});

describe('Headings in the type of the text', () => {
  const filled = (text: string, y: number, lines = 8) => [
    { text, y },
    { text: full, y: y + 14 },
    ...Array<string>(lines - 1).fill(full),
  ];

  it('are found where their numbers follow one another', () => {
    const found = titlesOf([
      title('Sorting', 20),
      full,
      ...filled('1. Merging', 140),
      ...filled('2. Splitting', 290),
      ...filled('3. Joining', 440),
    ]);
    assert.deepEqual(found, ['Sorting', 'Merging', 'Splitting', 'Joining']);
  });

  it('may be few of each degree in slightly larger type', () => {
    const larger = (text: string, y: number) => [
      { text, y, size: 10.8 },
      { text: full, y: y + 14 },
      ...Array<string>(7).fill(full),
    ];
    const found = titlesOf([
      title('Sorting', 20),
      full,
      ...larger('1 INTRODUCTION', 140),
      ...larger('2 RESULTS', 290),
      ...larger('2.1 Merging', 440),
    ]);
    assert.deepEqual(found, ['Sorting', 'INTRODUCTION', 'RESULTS', 'RESULTS › Merging']);
  });

  it('may be of the third degree below bold ones', () => {
    const found = titlesOf([
      title('1 Compiler'),
      full,
      title('1.1 Steps'),
      full,
      ...filled('1.1.1 Parsing', 180),
      ...filled('1.1.2 Typing', 330),
      ...filled('1.1.3 Writing', 480),
    ]);
    assert.deepEqual(found.slice(2), ['Steps › Parsing', 'Steps › Typing', 'Steps › Writing']);
  });

  it('are not the steps of a list, whose text is short or hangs below their words', () => {
    const steps = titlesOf([
      title('Setup', 20),
      full,
      ...filled('1. Open the box', 140, 2),
      ...filled('2. Connect the cable', 190, 2),
      ...filled('3. Switch it on', 240, 2),
    ]);
    assert.deepEqual(steps, ['Setup']);
    const hanging = (text: string, y: number) => [
      { text, y },
      ...Array<Partial<Line>>(8).fill({ text: full, x: 65 }),
    ];
    const items = titlesOf([
      title('Setup', 20),
      full,
      ...hanging('1. Open the box', 140),
      ...hanging('2. Connect the cable', 290),
      ...hanging('3. Switch it on', 440),
    ]);
    assert.deepEqual(items, ['Setup']);
  });

  it('may have Roman numbers in small capitals, and letters in italics below them', () => {
    const chapter = (text: string, y: number, size = 8) => [
      { text, y, size, x: 150, right: 300 },
      { text: full, y: y + 14 },
      ...Array<string>(3).fill(full),
    ];
    const section = (text: string, y: number) => [
      { text, y, italic: true },
      { text: full, y: y + 14 },
      ...Array<string>(3).fill(full),
    ];
    const paper = [
      title('Sorting in place', 20),
      ...chapter('I.\tINTRODUCTION', 130),
      ...chapter('II.\tTHE METHOD', 220),
      ...section('A. Step 1. Split the words', 290),
      ...section('B. Merging', 360),
      ...chapter('III.\tRESULTS', 430, 10),
    ];
    assert.deepEqual(titlesOf(paper), [
      'INTRODUCTION',
      'THE METHOD',
      'THE METHOD › Step 1. Split the words',
      'THE METHOD › Merging',
      'RESULTS',
    ]);
    const authors = [title('References', 20), full, ...section('I. Asimov', 140), full];
    assert.deepEqual(titlesOf(authors), ['References']);
  });

  it('may be the heads of entries that share a label below them', () => {
    const names = [
      'fade : makes curves of a signal between two values',
      'noise : white',
      'round : to zero',
      'split : in two',
      'init : it',
    ];
    const entries = (label: (index: number) => string) =>
      names.flatMap((text, index) => [
        { text, y: 160 + 100 * index },
        label(index),
        ...[full, full, 'Usage:', full],
      ]);
    const found = titlesOf([title('Objects', 20), full, ...entries(() => 'What it does:')]);
    assert.deepEqual(found, ['Objects', ...names]);
    const others = titlesOf([title('Objects', 20), full, ...entries((at) => `What ${at} does:`)]);
    assert.deepEqual(others, ['Objects']);
  });

  it('are the names of a bibliography, beside the chapters', () => {
    const found = titlesOf([
      title('1 Sorting', 20),
      full,
      title('1.1 Merging'),
      full,
      title('2 Results', 20),
      full,
      ...filled('References', 220, 2),
    ]);
    assert.deepEqual(found.at(-1), 'References');
  });
});

describe('The head of a paper', () => {
  const names = { text: 'Ada Example', size: 12, bold: true, y: 130 };
  const place = { text: 'Institute of Examples', y: 144 };
  const chapters = (y: number) => [
    title('1 Introduction', 14),
    ...Array<string>(8).fill(full),
    title('2 Methods', 14),
    full,
    { ...title('3 Results', 14), y },
    full,
  ];

  it('has a title that does not go on in other type', () => {
    const named = [{ text: 'Shapes of things' }, { text: 'Ada Lovelace Byron', x: 64 }, full, full];
    assert.equal(openingTitle('', [makePage(1, named)]), 'Shapes of things');
  });

  it('may name authors with marks of their institutes, who are no headings', () => {
    const found = titlesOf([
      title('Sorting in place', 20),
      {
        text: ['Ada', 'Bob', 'Cy', 'Dan', 'Eve'].map((name) => `${name} Example[^1]`).join(', '),
        size: 14,
        y: 130,
      },
      ...Array<string>(12).fill(full),
      title('Results', 16),
      full,
    ]);
    assert.deepEqual(found, ['Sorting in place', 'Sorting in place › Results']);
  });

  it('names authors, who are no headings', () => {
    const lines = [title('Sorting in place', 20), names, place, ...chapters(420)];
    assert.deepEqual(titlesOf(lines), ['Sorting in place', 'Introduction', 'Methods', 'Results']);
  });

  it('and its abstract are one section under its title', () => {
    const found = sectionsOf([
      makePage(1, [
        title('Sorting in place', 20),
        names,
        place,
        { ...title('Abstract', 12), y: 180 },
        full,
        { ...title('Keywords', 12), y: 210 },
        'sorting, places',
        ...chapters(420),
      ]),
    ]);
    assert.deepEqual(
      found.slice(0, 2).map((section) => section.title),
      ['Sorting in place', 'Introduction'],
    );
    assert.match(
      found[0]?.content ?? '',
      /Ada Example[^]*### Abstract[^]*running text[^]*Keywords\n\nsorting, places$/,
    );
  });

  it('names authors above an abstract that has no heading', () => {
    const lines = [
      title('Sorting in place', 20),
      names,
      place,
      { text: `Abstract ${full}`, y: 180 },
      ...Array<string>(8).fill(full),
      { ...title('Methods', 12), y: 400 },
      full,
    ];
    assert.deepEqual(titlesOf(lines), ['Sorting in place', 'Sorting in place › Methods']);
  });

  it('leaves the sections of a card beside its title', () => {
    const card = [
      { ...title('Packages', 12), y: 100 },
      ...Array<string>(3).fill('one command'),
      { ...title('Reference card', 20), x: 400, y: 40, region: 1 },
      ...Array<Partial<Line>>(10).fill({ text: full, x: 400, region: 1 }),
      { ...title('Errors', 12), x: 400, y: 200, region: 1 },
      { text: full, x: 400, region: 1 },
    ];
    assert.ok(titlesOf(card).includes('Packages'));
  });

  it('gives the title if the file states the author as its title', () => {
    const lines = [
      { text: 'Ada Example, Bob Case' },
      { ...title('Sorting in place', 14), y: 130 },
      full,
      full,
    ];
    const limits = { sectionMaxChars: 4000, sectionMinChars: 0 };
    const [first] = assembleSections([makePage(1, lines)], [], 'Ada Example', limits);
    assert.equal(first?.title, 'Sorting in place');
  });

  it('may have a letterhead in the margin, which is not its title', () => {
    const letterhead = { text: 'TECHNICAL REPORT', size: 20, bold: true, y: 40 };
    const lines = [letterhead, { ...title('Sorting in place', 17), y: 90 }, ...chapters(420)];
    const limits = { sectionMaxChars: 4000, sectionMinChars: 0 };
    const found = assembleSections([makePage(1, lines)], [], '', limits);
    assert.deepEqual(
      found.map((section) => section.title),
      ['Introduction', 'Methods', 'Results'],
    );
    assert.match(found[0]?.content ?? '', /Sorting in place\n[^]*### 1\.? Introduction/);
  });

  it('gives the title if the file states only the name of a file', () => {
    const pages = [makePage(1, [{ text: 'The order of things', size: 20 }, 'x 1', full])];
    const limits = { sectionMaxChars: 4000, sectionMinChars: 0 };
    const [first] = assembleSections(pages, [], 'Form_of_November_2009 1', limits);
    assert.equal(first?.title, 'The order of things');
  });
});

describe('A table without rules', () => {
  it('that goes on at the top of the next page with the same heading is one table', () => {
    const head = { text: 'Name\tSize', bold: true };
    const pages = [
      makePage(1, [title('Files'), full, head, 'ants\t1', 'bees\t2', 'cats\t3']),
      makePage(2, [head, 'dogs\t4', 'eels\t5', 'foxes\t6']),
    ];
    const content = sectionsOf(pages)[0]?.content ?? '';
    assert.match(content, /\| cats \| 3 \|\n\| dogs \| 4 \|/);
    assert.equal(content.match(/Name/g)?.length, 1);
  });
});

describe('What has nothing to publish', () => {
  const chapter = (number: number) =>
    makePage(number, [
      title(`${['Ants', 'Bees', 'Cats', 'Dogs', 'Eels', 'Foxes', 'Geese'][number - 2]}`),
      full,
      full,
    ]);
  const book = [2, 3, 4, 5, 6, 7, 8].map(chapter);

  it('is a heading without text that can join no other section', () => {
    const part = makePage(9, [title('Index of the animals', 16)]);
    const found = sectionsOf([...book, part]).map((section) => section.title);
    assert.deepEqual(found.at(-1), 'Geese');
  });

  it('is a list of contents without page numbers', () => {
    const names = ['Ants', 'Bees', 'Cats', 'Dogs', 'Eels', 'Foxes', 'Geese'];
    const contents = makePage(1, [
      title('Contents'),
      ...names.map((name, at) => `${at + 1}. ${name}`),
    ]);
    assert.equal(sectionsOf([contents, ...book])[0]?.title, 'Ants');
    const told = makePage(1, [
      title('Contents'),
      ...names.map((name) => `What is told about ${name}`),
    ]);
    assert.equal(sectionsOf([told, ...book])[0]?.title, 'Contents');
  });

  it('but stays if the document has nothing else', () => {
    assert.equal(sectionsOf([makePage(1, [title('Exhibition', 30)])]).length, 1);
  });
});

describe('Running heads in large type', () => {
  const topics = ['Drums', 'Chords', 'Walking basses', 'Scales', 'Solos', 'Melodies'];

  it('are removed where they quote titles in even larger type', () => {
    const pages = topics.flatMap((topic, index) => [
      makePage(2 * index + 1, [
        { text: topic, size: 24, y: 180 + index },
        { text: `The chapter of ${topic} begins here`, y: 300 + 9 * index },
      ]),
      makePage(2 * index + 2, [
        { text: topic, size: 14, y: 52, italic: true },
        { text: `More of ${topic} is told here`, y: 90 + 9 * index },
      ]),
    ]);
    const kept = dropFurniture(pages, []).flatMap((page) => page.lines.map(({ text }) => text));
    assert.deepEqual(
      kept,
      topics.flatMap((topic) => [
        topic,
        `The chapter of ${topic} begins here`,
        `More of ${topic} is told here`,
      ]),
    );
  });

  it('stay where they are the titles of slides', () => {
    const slides = topics.map((topic, index) =>
      makePage(index + 1, [
        { text: `${topic}\tMMA`, size: 20, y: 52 },
        { text: full, y: 120 + 7 * index },
      ]),
    );
    const pages = [makePage(0, [{ text: 'MMA', size: 40, y: 200 }]), ...slides];
    assert.deepEqual(dropFurniture(pages, []), pages);
  });
});

describe('Slides', () => {
  const bar = ['About', 'Installation', 'Configuration'].map((text, index) => ({
    text,
    x: 3,
    right: 40,
    size: 5,
    y: 94 + 11 * index,
  }));
  const slide = (number: number, heading: string, points: readonly string[]) =>
    makePage(number, [...bar, { text: heading, size: 14, y: 40 }, ...points]);
  const apt = 'Install a minimal system without a graphical login manager on it';
  const pages = [
    slide(1, 'How does it work?', [full]),
    slide(2, 'How to install it?', [apt]),
    slide(3, 'How to install it?', [apt, `${full} 2`]),
    slide(4, 'How to install it?', [apt, `${full} 2`, `${full} 3`]),
    slide(5, 'How to configure it?', [`${full} 4`]),
    slide(6, 'How to test it?', [`${full} 5`]),
    slide(7, 'Who made it?', [`${full} 6`]),
  ];

  it('that appear step by step become one section, of the last step', () => {
    const outline = [
      { title: 'How does it work?', level: 1, page: 1, y: 40 },
      { title: 'How to install it?', level: 1, page: 2, y: 40 },
    ];
    const found = sectionsOf(pages, 0, outline);
    assert.deepEqual(
      found.map((section) => [section.title, section.pageFrom]),
      [
        ['How does it work?', 1],
        ['How to install it?', 4],
        ['How to configure it?', 5],
        ['How to test it?', 6],
        ['Who made it?', 7],
      ],
    );
    assert.equal(found[1]?.content.match(/Install a minimal/g)?.length, 1);
    assert.match(found[1].content, /here 3/);
  });

  it('do not repeat the small bar of contents at their side', () => {
    const text = sectionsOf(pages)
      .map((section) => section.content)
      .join('\n');
    assert.doesNotMatch(text, /Configuration/);
  });
});

describe('The caption of a figure', () => {
  it('between the pages of a listing is behind it', () => {
    const code = (text: string) => ({ text, mono: true });
    const figure = [
      { text: 'Figure 3.14: The panel with its labels and as', y: 60 },
      { text: 'tags in red', y: 72 },
    ];
    const made = [
      makePage(1, [full, full, full, code('open {'), code('  wait')]),
      makePage(2, [...figure, { ...code('}'), y: 110 }, { text: full, y: 140 }, full, full]),
    ];
    const content = sectionsOf(made)[0]?.content ?? '';
    assert.match(content, /```\nopen {\n {2}wait\n}\n```\n\nFigure 3\.14: .* as tags in red\n\n/);
  });

  it('and a table at the top of a column stand behind the sentence that goes on below them', () => {
    const right = { x: 400, region: 1 };
    const row = (y: number, text: string) => ({ ...right, y, text });
    const content = contentOf([
      ...Array<string>(4).fill(full),
      row(60, 'Type\tNumber'),
      row(72, 'READ\t491'),
      row(84, 'WRITE\t500'),
      row(104, 'Table 4: The number of requests of each'),
      row(116, 'type in the whole experiment'),
      row(140, 'and goes on with the rest of the sentence, which ends at last.'),
      row(152, 'The next sentence follows it at once, and nothing is between them.'),
    ]);
    assert.match(content, /column here and goes on .* between them\.\n\n/);
    assert.match(content, /- WRITE: 500\n\nTable 4: .* experiment$/);
    const bold = { text: 'FIGURE 3. The states of the samples and their', y: 60, bold: true };
    const below = contentOf([
      ...Array<string>(4).fill(full),
      { ...right, ...bold },
      { ...right, text: 'species.', y: 72, bold: true },
      row(96, 'and goes on with the rest of the sentence, which ends at last.'),
    ]);
    assert.match(below, /column here and goes on .* last\.\n\nFIGURE 3\. .* species\.$/);
  });

  const contentOf = (lines: readonly (string | Partial<Line>)[]) =>
    sectionsOf([makePage(1, lines)])
      .map((section) => section.content)
      .join('\n\n');

  it('in the middle of a word or sentence moves behind its paragraph', () => {
    const content = contentOf([
      { text: full, y: 100 },
      { text: 'On the left panel you can see the name of the file and additional de-', y: 112 },
      { text: 'Figure 3.14: The left panel', x: 150, y: 300 },
      { text: 'tails of the device, such as its additional memory and its full name.', y: 330 },
    ]);
    assert.match(
      content,
      /additional details of the device.*name\.\n\nFigure 3\.14: The left panel$/,
    );
  });

  it('may have a Roman number of its chapter', () => {
    const content = contentOf([
      { text: full, y: 100 },
      { text: 'On the left panel you can see the name of the file and settings that', y: 112 },
      { text: 'Abbildung IV.2: Der Dialog', x: 150, y: 300 },
      { text: 'are read from the device.', y: 330 },
    ]);
    assert.match(content, /settings that are read from the device\.\n\nAbbildung IV\.2/);
  });

  it('beside its paragraph moves behind it', () => {
    const content = contentOf([
      { text: 'This help window shows additional de-', y: 100 },
      { text: 'Figure 3.14: Instructions', x: 300, y: 105, size: 9 },
      { text: 'tails of the exact instruction.', y: 112 },
    ]);
    assert.match(content, /additional details of the exact instruction\.\n\nFigure 3\.14/);
  });

  it('stays where it is between labels and other paragraphs', () => {
    const content = contentOf([
      { text: full, y: 100 },
      { text: 'Memory', x: 150, y: 200 },
      { text: 'Figure 3.14: The left panel', x: 150, y: 300 },
      { text: 'plotted with the data of the device that was connected to it last time', y: 330 },
    ]);
    assert.match(content, /Memory\n\nFigure 3\.14: The left panel\n\nplotted/);
  });

  it('ends a sentence that does not go on below it, and no text is lost', () => {
    const found = sectionsOf([
      makePage(1, [
        { text: full, y: 100 },
        { text: 'On the left panel you can see the file name and each additional device', y: 112 },
        { text: 'Figure 3.14: The left panel', x: 150, y: 300 },
      ]),
      makePage(2, [{ text: 'Other panels show the registers and the pins of the same device.' }]),
    ]);
    assert.match(
      found.map(({ content }) => content).join('\n\n'),
      /device\n\nFigure 3\.14: The left panel\n\nOther panels show/,
    );
  });

  it('is told from a sentence that goes on with the name of a figure', () => {
    const content = contentOf([
      { text: full, y: 100 },
      { text: 'The name of the file and its details are at the left of the window, as', y: 112 },
      { text: 'Figure 3.14 shows, with the full name of the device and its memory too.', y: 124 },
    ]);
    assert.match(content, /window, as Figure 3\.14 shows/);
  });
});
