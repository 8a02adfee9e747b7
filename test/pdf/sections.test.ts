import assert from 'node:assert/strict';
import { plainText } from '../../src/chat/markdown/plain-text.js';
import { assembleSections } from '../../src/pdf/sections/assemble.js';
import { languagesOf } from '../../src/sections/language.js';
import type { OutlineEntry } from '../../src/pdf/reader/syntax/bookmarks.js';
import type { SizeLimits } from '../../src/sections/split-long.js';
import type { Line } from '../../src/pdf/layout/page.js';
import { makeLine, makePage } from './make-lines.js';

const limits: SizeLimits = { sectionMaxChars: 4000, sectionMinChars: 0 };
const full = 'This line of running text fills the whole width of its column here';

function sectionsOf(
  lines: readonly (string | Partial<Line>)[],
  outline: OutlineEntry[] = [],
  given = limits,
) {
  return assembleSections([makePage(1, lines)], outline, '', given);
}

function contentOf(lines: readonly (string | Partial<Line>)[]): string {
  return sectionsOf(lines)
    .map((section) => section.content)
    .join('\n\n');
}

const title = (text: string, size = 16): Partial<Line> => ({ text, size, bold: true });
const boldRow = (text: string): Partial<Line> => ({ text, bold: true });

describe('Sections', () => {
  it('show the signs of the document’s prose, which mean nothing in Markdown', () => {
    const shown = plainText(
      contentOf([
        title('About __init__ and __main__'),
        "Set *both* in <https://a.example/b_c> with `this' and `that'.",
        '• # is a comment',
      ]),
    );
    assert.equal(
      shown,
      [
        'About __init__ and __main__',
        "Set *both* in <https://a.example/b_c> with `this' and `that'.",
        '- # is a comment',
      ].join('\n\n'),
    );
  });

  it('begin at headings, nest by heading size and have their path as title', () => {
    const found = sectionsOf([
      title('1. Installation'),
      full,
      title('1.1 Network settings', 13),
      full,
      title('2. Backup'),
      full,
    ]);
    assert.deepEqual(
      found.map((section) => section.title),
      ['Installation', 'Installation › Network settings', 'Backup'],
    );
  });

  it('follow bookmarks that match the text, even if the headings look like text', () => {
    const outline = [
      { title: 'Getting started', level: 1, page: 1, y: 90 },
      { title: 'First steps', level: 2, page: 1, y: 120 },
    ];
    const found = sectionsOf(['1 Getting started', full, '1.1 First steps', full], outline);
    assert.deepEqual(
      found.map((section) => section.title),
      ['Getting started', 'Getting started › First steps'],
    );
  });

  it('do not have a chapter label such as “Chapter 1” in their title or in the text before', () => {
    const found = sectionsOf([
      title('Preface'),
      full,
      { text: 'Chapter 1', y: 300 },
      { ...title('Overview', 20), y: 330 },
      full,
      'Chapter 1',
      'is not a label within running text.',
    ]);
    assert.deepEqual(
      found.map((section) => section.title),
      ['Preface', 'Overview'],
    );
    assert.doesNotMatch(found[0]?.content ?? '', /Chapter/);
    assert.match(found[1]?.content ?? '', /Chapter 1/);
  });

  it('ignore bookmarks that do not occur in the text', () => {
    const outline = [
      { title: 'Slide 1', level: 1, page: 1, y: 90 },
      { title: 'Slide 2', level: 1, page: 1, y: 120 },
    ];
    const found = sectionsOf([title('Printing'), full, title('Scanning'), full], outline);
    assert.deepEqual(
      found.map((section) => section.title),
      ['Printing', 'Scanning'],
    );
  });

  it('keep the printed number of their heading, because other sections refer to it', () => {
    assert.match(contentOf([title('3.2 Quotas'), full]), /^### 3\.2 Quotas\n\n/);
  });

  it('are split at paragraphs if they are long, and no part is too short', () => {
    const paragraphs = Array.from({ length: 12 }, (_, index) => ({
      text: `Step ${String.fromCharCode(65 + index)} fills the width of its column as running text does.`,
      y: 120 + index * 40,
    }));
    const found = sectionsOf([title('Long'), ...paragraphs], [], {
      sectionMaxChars: 300,
      sectionMinChars: 100,
    });
    assert.deepEqual(
      found.map((section) => section.title),
      ['Long', 'Long (2)', 'Long (3)'],
    );
    assert.ok(
      found.every((section) => section.content.length <= 300 && section.content.length > 100),
    );
  });

  it('have a number only if nothing else tells them apart', () => {
    const code = Array.from({ length: 42 }, (_, at) => ({ text: `call(${at % 3})`, mono: true }));
    const prose = Array.from({ length: 20 }, () => full);
    const found = sectionsOf([title('Prose'), ...prose, title('Long'), ...code], [], {
      sectionMaxChars: 200,
      sectionMinChars: 0,
    });
    assert.deepEqual(
      found.slice(-2).map((section) => section.title),
      ['Long', 'Long (2)'],
    );
  });

  it('are not split after a line that ends with a colon', () => {
    const paragraphs = Array.from({ length: 12 }, (_, at) => [
      { text: `${full} ${at}.`, y: 100 + at * 60 },
      { text: `This is shown in example ${at}:`, y: 130 + at * 60 },
    ]).flat();
    const found = sectionsOf([title('Examples'), ...paragraphs], [], {
      sectionMaxChars: 300,
      sectionMinChars: 0,
    });
    assert.ok(found.length > 2);
    assert.ok(found.slice(0, -1).every(({ content }) => !content.endsWith(':')));
  });

  it('join their parent or siblings if they are short', () => {
    const lines = [
      title('Keys'),
      full,
      title('Key F1', 13),
      'Help.',
      title('Key F2', 13),
      'Rename.',
    ];
    const found = sectionsOf(lines, [], { sectionMaxChars: 4000, sectionMinChars: 60 });
    assert.deepEqual(
      found.map((section) => section.title),
      ['Keys'],
    );
    assert.match(found[0]?.content ?? '', /### Key F1\n\nHelp\.\n\n### Key F2\n\nRename\.$/);
  });

  it('contain every word, including headings', () => {
    const lines = [
      title('Part'),
      title('Chapter', 14),
      full,
      '• one item',
      'Sum\t12\t13',
      title('End'),
      'Index',
    ];
    const content = contentOf(lines);
    for (const word of ['Part', 'Chapter', 'running', 'item', 'Sum', '12', '13', 'End', 'Index'])
      assert.ok(content.includes(word), word);
  });
});

describe('The text of a section', () => {
  it('joins the lines of a paragraph and separates paragraphs', () => {
    const text = contentOf([full, 'and ends here.', { text: 'Another begins.', y: 160 }]);
    assert.equal(text, `${full} and ends here.\n\nAnother begins.`);
  });

  it('continues a paragraph across pages', () => {
    const pages = [makePage(1, [full, full]), makePage(2, ['and goes on here.'])];
    assert.equal(
      assembleSections(pages, [], '', limits)[0]?.content,
      `${full} ${full} and goes on here.`,
    );
  });

  it('begins a paragraph at a bold head at the top of a column', () => {
    const lines = [full, 'Example Ltd., 12 High Street', 'mail@firm.example'];
    const text = contentOf([...lines, { ...boldRow('Abstract'), y: 100, region: 1 }, full]);
    assert.match(text, /firm\.example\n\n(?:### )?Abstract\n\n/);
  });

  it('takes the distance of lines from those that fill their column, not from a list of short ones', () => {
    const names = Array.from({ length: 40 }, (_, at) => ({ text: `name ${at}`, y: 400 + at * 18 }));
    const content = contentOf([...Array<string>(24).fill(full), ...names]);
    assert.match(content, /\n\nname 0\n\nname 1\n\nname 2\n\n/);
  });

  it('continues a sentence at another indentation, in another size or below a tall line', () => {
    const open = `${full} and`;
    const rest = 'so on to the end.';
    const joined = `${open} ${rest}`;
    // Behind an option, under the first line of a paragraph, and in larger type.
    assert.equal(contentOf([open, { text: rest, x: 90 }]), joined);
    assert.equal(
      contentOf([{ text: full, x: 90 }, { text: open, x: 90 }, rest]),
      `${full} ${joined}`,
    );
    assert.equal(contentOf([full, open, { text: rest, size: 12 }]), `${full} ${joined}`);
    assert.equal(contentOf([full, open, { text: rest, y: 131 }]), `${full} ${joined}`);
    // Inside brackets, no sign ends the sentence.
    const option = `-b <string> (${full.slice(0, 50)};`;
    assert.equal(
      contentOf([full, option, { text: 'optional)', x: 90 }]),
      `${full} ${option} optional)`,
    );
  });

  it('does not continue a term, a call or a header row with a small letter below', () => {
    const apart = (...lines: (string | Partial<Line>)[]) =>
      assert.match(contentOf([full, { text: 'An end.', y: 130 }, ...lines]), /\n\n.+\n\n/);
    apart({ text: '--verbose', y: 160 }, { text: 'prints more.', x: 90 });
    apart({ text: `${full.slice(0, -6)} != 0)`, y: 160 }, { text: 'error();', x: 63 });
    apart({ text: full, bold: true, y: 160 }, { text: 'is on', x: 90 });
  });

  it('keeps terms apart from their definitions, which are indented below', () => {
    const at = (text: string, x = 50) => ({ text, x });
    const lines = [
      ...[full, { ...at('Width'), y: 130 }, at('The width of the line', 70)],
      ...[at('Pen color'), at('The color of the outline', 70), at('Depth')],
      ...[at(full, 70), at('and all of it.', 70)],
    ];
    assert.equal(
      contentOf(lines),
      [
        ...[full, 'Width', 'The width of the line', 'Pen color', 'The color of the outline'],
        ...['Depth', `${full} and all of it.`],
      ].join('\n\n'),
    );
  });

  it('keeps an entry that hangs out and begins with a bold name apart from the paragraph above', () => {
    const entry = { text: `mode ${full}`, lead: { text: 'mode', bold: true } };
    const rest = { text: 'it ends here.', x: 68 };
    assert.equal(
      contentOf([full, 'and ends.', entry, rest]),
      `${full} and ends.\n\nmode ${full} it ends here.`,
    );
  });

  it('keeps entries apart whose name and colon are in another type', () => {
    const entry = (lead: string, text: string, x = 50) => ({
      text: `${lead} ${text}`,
      x,
      lead: { text: lead, bold: false },
    });
    const named = [entry('first:', 'the first of them', 70), entry('second:', 'the next one')];
    assert.equal(
      contentOf([full, '', ...named]),
      [full, ...named.map(({ text }) => text)].join('\n\n'),
    );
  });

  it('keeps the dash of an option with its name, but not a dash between words', () => {
    const lines = [
      'The option -size is not needed.',
      `${full} by -`,
      'size, and more -',
      'or less.',
    ];
    assert.match(contentOf(lines), /by -size, and more - or less\.$/);
  });

  it('nests lists by the position of their marks', () => {
    const text = contentOf([
      'Choose:',
      { text: '• disk', x: 60 },
      { text: '– internal', x: 80 },
      { text: '• network', x: 60 },
      { text: '1. wire', x: 80 },
    ]);
    assert.equal(text, 'Choose:\n\n- disk\n  - internal\n- network\n  1. wire');
    const second = { x: 310, y: 100, region: 1 };
    const next = { text: full, ...second, x: 300, y: 112 };
    const lists = contentOf([
      full,
      { text: '• disk', x: 60 },
      { text: '• network.', ...second },
      next,
    ]);
    assert.match(lists, /^- disk\n- network\.$/m);
  });

  it('knows other bullets, small Roman numbers, and the letter of word processors', () => {
    assert.equal(
      contentOf(['Choose:', '− disk', '♦ tape', '⋅ net']),
      'Choose:\n\n- disk\n- tape\n- net',
    );
    assert.equal(contentOf(['Do:', 'ii. stop', 'iii. start']), 'Do:\n\nii. stop\niii. start');
    assert.equal(contentOf(['Choose:', 'o\tdisk', 'o\ttape']), 'Choose:\n\n- disk\n- tape');
    assert.match(contentOf(['Flags:', 'o\tsorts', 'n\tcounts']), /- o: sorts/);
    assert.equal(contentOf(['Choose:', '∞\tdisk', '∞\ttape']), 'Choose:\n\n- disk\n- tape');
    const below = (text: string) => ({ text, x: 70 });
    assert.equal(
      contentOf(['Choose:', '• disk', below('-Provided by A'), below('-Provided by B'), '• tape']),
      'Choose:\n\n- disk\n  - Provided by A\n  - Provided by B\n- tape',
    );
    assert.doesNotMatch(contentOf([full, '-Wall', '-Provided']), /- /);
    assert.match(contentOf(['Stored as', '− 1.5 here.']), /as − 1\.5/);
  });

  it('keeps the names of a list of names apart', () => {
    const names = ['Albert Benzal', 'Carles J. Matabosch', 'Joan Ramos-Vila'];
    assert.equal(contentOf(names), names.join('\n\n'));
    assert.equal(contentOf(['Albert Benzal', 'and Joan Ramos']), 'Albert Benzal and Joan Ramos');
  });

  it('keeps the lines of a list without marks apart', () => {
    const lines = ['F (full screen) > On.', 'P > Stop it.', 'Left or right arrow > Go on.'];
    assert.equal(contentOf([...lines, { text: full, y: 200 }]), [...lines, full].join('\n\n'));
    const formats = ['PostScript', 'PDF (Portable Document Format)', 'GIF', 'Tag Image Format'];
    const listed = [
      'The formats are:',
      ...formats,
      `Windows Metafile, which fills nearly the whole line`,
    ];
    assert.equal(contentOf([...listed, { text: full, y: 250 }]), [...listed, full].join('\n\n'));
    const narrow = [
      'Beside a picture, the',
      'German words may be at',
      'Beginnings of lines or',
      'Ends of them.',
    ];
    assert.equal(contentOf([...narrow, { text: full, y: 250 }]), `${narrow.join(' ')}\n\n${full}`);
  });

  it('joins an address that the end of a line cuts', () => {
    const joins = (left: string, right: string, joined: string) =>
      assert.ok(contentOf([full, 'All software is here.', left, right]).includes(joined));
    const cut = [full, 'The place is http://svn.exam-', { text: 'ple.org/svn/book', mono: true }];
    assert.match(contentOf(cut), /exam-ple\.org\/svn\/book$/);
    joins(
      'It is at https://example.org/some/longer/place/of/the/first',
      'guide/a.html, too.',
      'first' + 'guide/a.html',
    );
    joins(
      'It is at https://example.org/some/longer/place/of/the/first',
      'page of it.',
      'first page',
    );
  });

  it('does not begin a list with a number or a dash in the middle of a sentence', () => {
    const wide = `${full} divided by`;
    assert.equal(
      contentOf([wide, '3. (A third of it remains)']),
      `${wide} 3. (A third of it remains)`,
    );
    assert.equal(contentOf([wide, '– or more – of it.']), `${wide} – or more – of it.`);
    assert.equal(contentOf([wide, '* and no more of it.']), `${wide} * and no more of it.`);
    const indented = { text: wide, x: 62 };
    assert.equal(contentOf([indented, '– or more – of it.']), `${wide} – or more – of it.`);
    assert.equal(contentOf([wide, '1. wire', '2. cable']), `${wide}\n\n1. wire\n2. cable`);
    assert.equal(contentOf([`${wide}:`, '– wire']), `${wide}:\n\n- wire`);
  });

  it('begins no item with the initial of a name, but with a letter behind the one before it', () => {
    const names = ['• Set by D. K. Keim, A. Maske. See', '  J. Comp. Graph. Stat. 5 (1996), 58.'];
    const [first = '', second = ''] = names;
    assert.equal(
      contentOf([first, { text: second.trim(), x: 60 }]),
      '- Set by D. K. Keim, A. Maske. See J. Comp. Graph. Stat. 5 (1996), 58.',
    );
    for (const items of [
      ['a. one', 'b. two', 'c. three'],
      ['i. one', 'ii. two', 'iii. three', 'iv. four'],
    ]) {
      assert.equal(contentOf(items), items.join('\n'));
    }
  });

  it('continues a centred paragraph with its last line, whatever that begins with', () => {
    const rest = { text: '4, Section 4.2 on how' };
    const [line, second] = [full, `${full.slice(0, -8)}see Page`];
    assert.equal(contentOf([line, second, { ...rest, x: 167.5 }]).includes('Page\n\n4'), true);
    const middle = 50 + second.length * 2.5;
    assert.equal(
      contentOf([line, second, { ...rest, x: middle - 52.5 }]),
      `${line} ${second} ${rest.text}`,
    );
  });

  it('keeps lines apart that a semicolon or a brace ends', () => {
    const fields = 'the field of a symbol holds words;\n\nthe field of a float holds a number;';
    assert.equal(contentOf(fields.split('\n\n')), fields);
    const prose = `${full.slice(0, -1)};`;
    assert.equal(contentOf([prose, 'or else it stops.']), `${prose} or else it stops.`);
  });

  it('keeps entries apart that are a word, a dash and what it means', () => {
    const entries = 'compile – compiles all\n\ntest – runs the tests\n\nclean – removes files';
    assert.equal(contentOf(entries.split('\n\n')), entries);
    const [first = '', ...others] = entries.split('\n\n');
    const pages = [makePage(1, [first]), makePage(2, others)];
    assert.equal(assembleSections(pages, [], '', limits)[0]?.content, entries);
  });

  it('contains code in a fence, with its indentation and blank lines', () => {
    const code = (text: string, x: number, y: number): Partial<Line> => ({
      text,
      x,
      y,
      mono: true,
      right: x + text.length * 6,
    });
    const text = contentOf([
      full,
      code('if true; then', 50, 120),
      code('echo yes', 62, 131),
      code('fi', 50, 153),
      { text: full, y: 190 },
    ]);
    assert.equal(text, `${full}\n\n\`\`\`\nif true; then\n  echo yes\n\nfi\n\`\`\`\n\n${full}`);
  });

  it('keeps a monospaced address within its sentence, but fences a command after a colon or a short line', () => {
    const wide = `${full} at`;
    const mono = { mono: true };
    assert.equal(
      contentOf([wide, { text: 'https://example.com/manuals/index.html', ...mono }, 'every day.']),
      `${wide} https://example.com/manuals/index.html every day.`,
    );
    // Behind a comma, the end of an enumeration may stand a little lower.
    const names = { text: 'open(), close()', ...mono, y: 117 };
    assert.equal(
      contentOf([full, { text: `${full},`, y: 100 }, names, { text: 'Other words.', y: 141 }]),
      `${full} ${full}, open(), close()\n\nOther words.`,
    );
    assert.match(contentOf([`${full}:`, { text: 'run --now', ...mono }]), /:\n\n```\nrun --now/);
    assert.match(contentOf([full, 'Run', { text: 'run --now', ...mono }]), /```\nrun --now/);
  });

  it('keep an address in another type within its paragraph, however its lines break', () => {
    const addresses = (...lines: string[]) =>
      lines.map((text): Partial<Line> => ({ text, mono: true, x: 70 }));
    const content = contentOf([
      'P. W. Daly. Customizing bibliographic style files, 2007. http:',
      ...addresses(
        '//example.com/macros/',
        'contrib/makebst.pdf.',
        'http://example.net/a/',
        'b.pdf',
      ),
      { text: 'Then call it:', y: 300 },
      ...addresses('http://example.net/b.pdf'),
    ]);
    assert.equal(
      content,
      `P. W. Daly. Customizing bibliographic style files, 2007. http://example.com/macros/contrib/makebst.pdf. http://example.net/a/b.pdf\n\nThen call it:\n\n\`\`\`\nhttp://example.net/b.pdf\n\`\`\``,
    );
  });

  it('tell titles, listings and paragraphs of a document that is typed in one monospaced font', () => {
    const typed = (text: string, y: number, x = 50): Partial<Line> => {
      const right = x + text.length * 5;
      return { text, mono: true, x, right, y, segments: [{ text, x, right }] };
    };
    const wide = 'The supplier feeds each bus that is named in the same file of the';
    const found = sectionsOf([
      typed('Suppliers', 40),
      typed('=========', 52),
      typed(wide, 76),
      typed('aircraft:', 88),
      typed('<supplier>', 112),
      typed('<kind>battery</kind>', 124, 60),
      typed('</supplier>', 136),
      typed('~~~~~~~~~', 160),
      typed('2. Colours', 172),
      typed('~~~~~~~~~~', 184),
      typed('^l       left arrow', 208),
      typed('no-entry "no entry" symbol', 220),
      typed('hazard   end of the way', 232),
      typed('- the first of these words', 256),
      typed('- the last one', 268),
    ]);
    assert.deepEqual(
      found.map(({ content }) => content),
      [
        `### Suppliers\n\n${wide} aircraft:\n\n\`\`\`\n<supplier>\n  <kind>battery</kind>\n</supplier>\n\`\`\``,
        '### 2. Colours\n\n```\n^l       left arrow\nno-entry "no entry" symbol\nhazard   end of the way\n```\n\n- the first of these words\n- the last one',
      ],
    );
  });

  it('end a list before the text below it, and definitions before the next head', () => {
    const item = (text: string, x: number): Partial<Line> => ({ text, x });
    assert.equal(
      contentOf([
        `${full}:`,
        item('• take the first part of the set and put it on the table', 50),
        item('before you begin.', 60),
        item('The other parts stay in their box until the end of the', 70),
        'week.',
      ]),
      `${full}:\n\n- take the first part of the set and put it on the table before you begin.\n\nThe other parts stay in their box until the end of the week.`,
    );
    assert.equal(
      contentOf([
        `${full}:`,
        item('• take the first part of the set', 60),
        item('The other parts stay in their box until the end of the', 70),
        'week or of the year.',
      ]),
      `${full}:\n\n- take the first part of the set\n\nThe other parts stay in their box until the end of the week or of the year.`,
    );
    const key = (text: string, lead: string): Partial<Line> => ({
      text,
      lead: { text: lead, bold: true },
    });
    assert.equal(
      contentOf([`${full}.`, { ...key('q quits', 'q'), y: 130 }, key('s saves the game', 's')]),
      `${full}.\n\nq quits\n\ns saves the game`,
    );
    const head = (text: string, of = '[Command]'): Partial<Line> => {
      const kind = { text: of, x: 330, right: 375 };
      return {
        text: `${text} ${of}`,
        right: 375,
        segments: [{ text, x: 50, right: 90 }, kind],
      };
    };
    assert.equal(
      contentOf([
        head('port'),
        item('Tells the port.', 70),
        head('host'),
        item('Tells the host.', 70),
      ]),
      'port [Command]\n\nTells the port.\n\nhost [Command]\n\nTells the host.',
    );
    const methods = ['Sign(x)', 'Sign(x, y)', 'Sign()'].map((text) =>
      head(`▷ ${text}`, '(method)'),
    );
    assert.equal(
      contentOf([...methods, item('Tells it.', 70)]),
      '- Sign(x) (method)\n- Sign(x, y) (method)\n- Sign() (method)\n\nTells it.',
    );
  });

  it('have no rows of stars, and keep the indentation of a listing on the next page', () => {
    const code = (text: string, x: number): Partial<Line> => ({ text, x, mono: true });
    const pages = [
      makePage(1, [full, `${full}.`, '* * * * *', code('def on():', 50), code('call()', 70)]),
      makePage(2, [code('talk()', 70), { text: full, y: 200 }]),
    ];
    const text = assembleSections(pages, [], '', limits).map(({ content }) => content);
    assert.match(text.join('\n'), /^[^*]*```\ndef on\(\):\n {4}call\(\)\n {4}talk\(\)\n```/);
  });

  it('contains one table whose last rows stand on the next page', () => {
    const rows = ['Name\tUse', 'ssh\tshell', 'http\tweb', 'smtp\tmail'];
    const pages = (first: Partial<Line> | string) => [
      makePage(1, [full, { text: `${full}.`, y: 120 }, first, ...rows.slice(1)]),
      makePage(2, ['ftp\tfiles', { text: full, y: 200 }]),
    ];
    const text = (first: Partial<Line> | string) =>
      assembleSections(pages(first), [], '', limits)[0]?.content ?? '';
    assert.match(text(boldRow('Name\tUse')), /\| smtp \| mail \|\n\| ftp \| files \|\n\nThis/);
    assert.match(text('dns\tnames'), /- smtp: mail\n\n- ftp: files\n\nThis/);
  });

  it('contains a table for aligned cells under a bold row', () => {
    const text = contentOf([
      boldRow('Name\tPort\tUse'),
      'ssh\t22\tshell',
      'http\t80\tweb',
      'smtp\t25\tmail',
    ]);
    assert.equal(
      text,
      '| Name | Port | Use |\n| --- | --- | --- |\n| ssh | 22 | shell |\n| http | 80 | web |\n| smtp | 25 | mail |',
    );
  });

  it('contains a table for cells below a row that is underlined', () => {
    const head = { ...makeLine('Key\tUse'), underlined: true as const, y: undefined };
    const { y: _, ...first } = head;
    assert.equal(
      contentOf([first, 'C-k\tkill', 'C-y\tyank']),
      '| Key | Use |\n| --- | --- |\n| C-k | kill |\n| C-y | yank |',
    );
  });

  it('contains a list of terms for two columns without a heading row', () => {
    assert.equal(
      contentOf(['C-k\tkill the line', 'C-y\tyank it', 'C-l\tredraw']),
      '- C-k: kill the line\n- C-y: yank it\n- C-l: redraw',
    );
    assert.equal(contentOf(['Value:\t0 to 7', ':\ta colon']), '- Value: 0 to 7\n- :: a colon');
    const sentence = [full, 'and of the\tdevice. It may', 'only show\tcapitals and', 'numbers.'];
    assert.doesNotMatch(contentOf(sentence), /- /);
  });

  it('does not contain the line numbers of a listing', () => {
    const lines = ['1 if ready:', '2     start()', '3 stop()'].map((text) => ({
      text,
      mono: true,
    }));
    const prose = makePage(1, [full, full, full, ...lines]);
    const text = assembleSections([prose], [], '', limits)[0]?.content;
    assert.match(text ?? '', /```\nif ready:\n {4}start\(\)\nstop\(\)\n```$/);
    const [first, ...others] = lines.map((line, at) => (at === 1 ? { text: '2', size: 7 } : line));
    const empty = contentOf([full, full, `${full}.`, first ?? '', ...others]);
    assert.match(empty, /```\nif ready:\n\nstop\(\)\n```$/);
  });

  it('contains a footnote mark, even if only its font raises it', () => {
    const page = makePage(1, [
      { text: 'It begins in normal mode.1', y: 130 },
      { text: full, y: 160 },
      { text: '1 See the manual.', size: 8, y: 780 },
    ]);
    const text = assembleSections([page], [], '', limits)[0]?.content ?? '';
    assert.match(text, /^It begins in normal mode\.\[\^1\]\n/m);
  });

  it('contains a footnote mark behind a space, and one of figures that are raised in themselves', () => {
    const page = makePage(1, [
      { text: 'It begins in normal mode. 1', y: 130 },
      { text: 'It ends there ⁴. See chap. 3 for more. 1⁴', y: 160 },
      ...['1See the manual.', '3 Or not.', '⁴Or call.', '1 ⁴Or write.'].map((text, at) => ({
        text,
        size: 8,
        y: 740 + 10 * at,
      })),
    ]);
    const [first] = assembleSections([page], [], '', { ...limits, sectionMinChars: 1 });
    assert.equal(
      first?.content,
      'It begins in normal mode.[^1]\n\nIt ends there[^4]. See chap. 3 for more.[^14]\n\n3 Or not.\n\n' +
        '[^1]: See the manual.\n\n[^4]: Or call.\n\n[^14]: Or write.',
    );
  });

  it('ends with the footnotes that it refers to', () => {
    const page = makePage(1, [
      { text: '1 First steps', size: 16 },
      { text: `${full}[^1]`, y: 130 },
      { text: 'And another paragraph.', y: 160 },
      { text: '2 Next steps', size: 16, y: 300 },
      { text: full, y: 330 },
      { text: '1 See the manual.', size: 8, y: 780 },
    ]);
    const sections = assembleSections([page], [], '', { ...limits, sectionMinChars: 1 });
    assert.match(sections[0]?.content ?? '', /paragraph\.\n\n\[\^1\]: See the manual\.$/);
    assert.doesNotMatch(sections[1]?.content ?? '', /manual/);
  });

  it('ends with footnotes of several paragraphs, which go on at the foot of the next page', () => {
    const small = (text: string, y: number) => ({ text, size: 8, y });
    const edge = 'a note in small type that fills the width of its column as the text does, and';
    const first = makePage(1, [
      ...Array<string>(9).fill(full),
      { text: `${full}[^1]`, y: 220 },
      { text: `${full}[^*]`, y: 244 },
      small(`* Of 1990: ${edge}.`, 740),
      small(`1N.B.: ${edge}`, 750),
    ]);
    const second = makePage(2, [
      { text: `${full}[^2]`, y: 100 },
      small('goes on here. Its end.', 730),
      small('Its second paragraph has 3 lines.', 740),
      small('2 See the manual.', 750),
      small('3 “A word” of it.', 760),
    ]);
    const text = assembleSections([first, second], [], '', limits)[0]?.content.split('\n\n');
    assert.deepEqual(text?.slice(1), [
      `${full}[^1]`,
      `${full}\\*`,
      `${full}[^2]`,
      `\\* Of 1990: ${edge}.`,
      '3 “A word” of it.',
      `[^1]: N.B.: ${edge} goes on here. Its end. Its second paragraph has 3 lines.`,
      '[^2]: See the manual.',
    ]);
  });

  it('has a note without a mark behind the paragraph that it parts at the foot of a column', () => {
    const [wide, rest] = ['stops in the middle of a', 'sentence, which goes on here.'];
    const note = { text: 'Revised in 1992.', size: 8, y: 760 };
    const first = makePage(1, [...Array<string>(10).fill(full), `${full} ${wide}`, note]);
    const second = makePage(2, [rest, full]);
    const text = assembleSections([first, second], [], '', limits)[0]?.content.split('\n\n');
    assert.match(text?.[0] ?? '', /in the middle of a sentence, which goes on here\./);
    assert.equal(text?.[1], 'Revised in 1992.');
  });

  it('ends with a footnote in the type of the text below a short rule', () => {
    const note = { text: '* The note goes on in the', y: 740, belowRule: true as const };
    const lines = [...Array<string>(20).fill(full), 'It ends.', note, 'next line.'];
    assert.match(contentOf(lines), /It ends\.\n\n\\\* The note goes on in the next line\.$/);
  });

  it('does not take a list in small type for footnotes, nor a number in the middle of a sentence', () => {
    const small = (text: string) =>
      makePage(
        2,
        [...text.split('\n')].map((line, at) => {
          return { text: line, size: 8, y: 700 + 10 * at };
        }),
      );
    const above = makePage(1, [full, full]);
    const below = makePage(3, ['It ends here.', title('Next'), full]);
    const textOf = (text: string) =>
      assembleSections([above, small(text), below], [], '', limits)[0]?.content ?? '';
    assert.match(
      textOf('* It is small.\n* It is fast.'),
      /- It is small\.\n- It is fast\.\n\nIt ends/,
    );
    assert.match(textOf('19 – 11 = 8 numbers.'), /numbers\.\n\nIt ends/);
    assert.match(textOf('* It is small.'), /\n\n\\\* It is small\.$/);
  });

  it('has a paragraph for each entry in a list of references', () => {
    const entries = [
      '[1] Miller Puckette, “Pd Documentation“, Dokumentation im Netz:',
      '[2] U. Tietze, Ch. Schenk, “Digitale Filter“ in:',
    ];
    const rests = [
      '“http://example.net/~msp/Pd_documentation/“',
      '“Springer-Verlag 1991, pp. 834“',
    ];
    const lines = entries.flatMap((text, at) => [
      { text, y: 100 + 36 * at },
      { text: rests[at] ?? '', x: 80, y: 118 + 36 * at },
    ]);
    assert.equal(contentOf(lines), `${entries[0]} ${rests[0]}\n\n${entries[1]} ${rests[1]}`);
  });

  it('has a paragraph for each reference without a label, whose first line hangs out', () => {
    const entry = (name: string) => [
      `${name}. A title that fills the line and ends.`,
      { text: 'Journal of titles, 1992.', x: 60 },
    ];
    const lines = [full, full, title('References'), ...entry('Ada Byron'), ...entry('B. Pascal')];
    assert.match(
      contentOf(lines),
      /\n\nAda Byron\..* ends\. Journal of titles, 1992\.\n\nB\. Pascal\..* ends\. Journal/,
    );
  });

  it('keeps the meaning of an option whole that goes on below its beginning', () => {
    const option = {
      text: '-p port Listens there.',
      segments: [
        {
          text: '-p port Listens there.',
          x: 50,
          right: 160,
          gaps: [{ index: 8, from: 84, to: 92 }],
        },
      ],
    };
    const second = { text: '-s Says all.', x: 70 };
    assert.match(
      contentOf([title('Options'), option, { text: 'Port 80 is the default.', x: 92 }, second]),
      /-p port Listens there\. Port 80 is the default\.\n\n-s Says all\./,
    );
  });

  it('has a paragraph for each reference with a name, whose words are wide apart', () => {
    const lines = ['Favre L, Fouque A.', 'Friston KJ.', 'Kayser AS, Sun FT.'].flatMap(
      (text, at) => [
        { ...makeLine(`[Name0${at}]\t${text}`), y: 100 + 24 * at },
        { ...makeLine('A paper in a\tjournal.', { x: 200 }), y: 112 + 24 * at },
      ],
    );
    assert.equal(
      contentOf(lines),
      [
        '[Name00] Favre L, Fouque A. A paper in a journal.',
        '[Name01] Friston KJ. A paper in a journal.',
        '[Name02] Kayser AS, Sun FT. A paper in a journal.',
      ].join('\n\n'),
    );
  });

  it('has a command directly below the line that announces it, not below a table that floats between', () => {
    const floats = (announcement: string) => {
      const rows = ['Name\tStyle', 'one\tbold', 'two\tslanted', 'three\tupright'];
      const pages = [
        makePage(1, [full, full, announcement]),
        makePage(2, [
          ...rows,
          { text: 'Table 2: The styles', y: 160 },
          { text: 'insert {text}', mono: true, y: 190 },
          { text: 'More text.', y: 220 },
        ]),
      ];
      const content = assembleSections(pages, [], '', limits).map((each) => each.content);
      return content.join('\n').indexOf('insert {text}') < content.join('\n').indexOf('slanted');
    };
    assert.equal(floats('Insert a text with the following command:'), true);
    assert.equal(floats('The styles of all names stand in the following table:'), false);
  });

  it('has an example that floats into a sentence, or between words and their listing, behind them', () => {
    const example = { text: 'Example 4: What floats at the top of the page.', x: 90 };
    const code = { text: 'read to', mono: true, y: 130 };
    const goesOn = {
      text: 'and the sentence that goes on here fills its line, as text does',
      y: 160,
    };
    const floating = [makePage(1, [full, full]), makePage(2, [example, code, goesOn])];
    const textOf = (pages: typeof floating) => assembleSections(pages, [], '', limits)[0]?.content;
    assert.match(
      textOf(floating) ?? '',
      /column here and the sentence[^\n]*\n\nExample 4: [^\n]*\n\n```\nread to/,
    );
    const figure = { text: 'Figure 4: A drawing.', x: 90 };
    const leads = { ...goesOn, y: 130 };
    const listing = { ...code, y: 160 };
    const led = [makePage(1, [full, full]), makePage(2, [figure, leads, listing])];
    assert.match(textOf(led) ?? '', /as text does\n\n```\nread to\n```\n\nFigure 4/);
  });

  it('has footnotes after a paragraph that continues in the next column', () => {
    const right = { x: 400, region: 1 };
    const columns = makePage(1, [
      ...Array<string>(10).fill(full),
      { text: `${full}[^1]`, y: 740 },
      { text: '1See the manual.', size: 8, y: 780 },
      { ...right, text: 'and the sentence ends.', y: 100 },
      { ...right, text: full, y: 124 },
    ]);
    const text = assembleSections([columns], [], '', limits)[0]?.content ?? '';
    assert.match(
      text,
      /column here\[\^1\] and the sentence ends\.\n\nThis line [^\n]*\n\n\[\^1\]: See the manual\.$/,
    );
  });

  it('has footnotes after a paragraph that continues on the next page', () => {
    const marked = `${full}[^1]`;
    const first = makePage(1, [marked, full, { text: '1See the manual.', size: 8, y: 780 }]);
    const text = assembleSections(
      [first, makePage(2, ['and the sentence ends.'])],
      [],
      '',
      limits,
    )[0]?.content;
    assert.equal(text, `${marked} ${full} and the sentence ends.\n\n[^1]: See the manual.`);
  });
});

describe('The language of a section', () => {
  const german = 'Der Rechner wird nicht mit dem Netz verbunden. '.repeat(6);
  const english = 'The machine is not connected to the network. '.repeat(4);

  it('is the language of its prose, or the document’s language if it has too little prose', () => {
    assert.deepEqual(languagesOf([german, english, 'kurz', '```\nls -la /usr/share/doc\n```']), [
      'de',
      'en',
      'de',
      'de',
    ]);
  });

  it('differs from the document’s language only if the whole text is in another language', () => {
    const long = 'Der Rechner wird nicht mit dem Netz verbunden. '.repeat(30);
    const list = `find the file with all of the options and the names. ${'Datei Knopf Menü Fenster Ordner Druck '.repeat(4)}`;
    assert.deepEqual(languagesOf([long, list, english]), ['de', 'de', 'en']);
  });

  it('is the language of its neighbours if both have the same one and it has too little prose', () => {
    const long = english.repeat(9);
    const chapter = [german.repeat(3), '| Wert |\n| --- |', german.repeat(3)];
    const found = languagesOf([long, long, 'brief', long, ...chapter, 'brief']);
    assert.deepEqual(found, ['en', 'en', 'en', 'en', 'de', 'de', 'de', 'en']);
  });

  it('is the language of the middle of a long text that begins with a quotation', () => {
    const quoted = `${english.repeat(2)} ${german.repeat(12)}`;
    assert.deepEqual(languagesOf([german.repeat(4), quoted]), ['de', 'de']);
  });

  it('count the indentation of a listing from the edge of each column', () => {
    const code = (text: string, x: number, y: number, region: number) => ({
      text,
      x,
      y,
      region,
      mono: true,
    });
    const content = contentOf([
      full,
      code('main() {', 50, 400, 0),
      code('open();', 60, 412, 0),
      code('close();', 330, 100, 1),
      code('}', 320, 112, 1),
    ]);
    assert.match(content, /^main\(\) \{\n {2}open\(\);\n {2}close\(\);\n\}$/m);
  });

  it('keep an address in its reference, however its type and its lines change', () => {
    const mono = (text: string) => ({ text, mono: true });
    const content = contentOf([
      '[1] A. Author. The first of many papers about widows and orphans in print, 2010.',
      mono('tug.org/TUGboat/tb31-1/tb97isambert.'),
      mono('pdf'),
      '[2] B. Author. The second of the papers about widows and orphans, http://www.example.',
      mono('org/papers/two.html'),
    ]);
    assert.match(content, /2010\. tug\.org\/TUGboat\/tb31-1\/tb97isambert\.pdf$/m);
    assert.match(content, /http:\/\/www\.example\.org\/papers\/two\.html$/m);
    assert.doesNotMatch(content, /```/);
  });
});
