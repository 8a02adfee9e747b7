import assert from 'node:assert/strict';
import { endsEarly } from '../../src/pdf/reader/syntax/check-file.js';
import { dropContents } from '../../src/pdf/sections/contents.js';
import { traitsOfName } from '../../src/pdf/reader/fonts/font.js';
import { dropFurniture } from '../../src/pdf/sections/furniture.js';
import { collectVocabulary, joinLines } from '../../src/pdf/sections/hyphenation.js';
import { stripNumber, titleKey } from '../../src/sections/titles.js';
import type { Line } from '../../src/pdf/layout/page.js';
import { makePage } from './make-lines.js';

const wordsOf = (...lines: string[]) => collectVocabulary([makePage(1, lines)]);

describe('Removing headers and footers', () => {
  const topics = [
    'apples grow',
    'bread bakes',
    'clocks tick',
    'doors open',
    'eggs boil',
    'fish swim',
    'grass waves',
    'hats fit',
  ];
  const pages = topics.map((topic, index) =>
    makePage(index + 1, [
      { text: `CHAPTER ${Math.floor(index / 4) + 1}. NETWORK`, y: 40 },
      { text: `Here ${topic} at the top of the page`, y: 90 },
      { text: 'The same advice stands on every page', y: 400 },
      { text: String(index + 1), y: 805 },
    ]),
  );

  it('removes running headers and page numbers, but no body text', () => {
    const kept = dropFurniture(pages, []).map((page) => page.lines.map((line) => line.text));
    assert.deepEqual(kept[2], [
      'Here clocks tick at the top of the page',
      'The same advice stands on every page',
    ]);
    assert.ok(kept.every((lines) => lines.length === 2));
  });

  it('removes the number of the page in a cell at the end of a line, with the title before it, in large margins', () => {
    const headed = topics.map((topic, index) =>
      makePage(index + 1, [
        { text: `${index + 1}. How ${topic} everywhere\t${index + 3}`, y: 146 },
        { text: `Here ${topic} at the top of the page`, y: 190 + index },
        { text: `There ${topic} in the middle of the page, with more to read`, y: 300 + 5 * index },
      ]),
    );
    const kept = dropFurniture(headed, []).map((page) => page.lines.map((line) => line.text));
    assert.ok(kept.every((lines) => lines.length === 2 && lines[0]?.startsWith('Here') === true));
  });

  it('removes a long notice that counts the pages, and a remark that a listing continues', () => {
    const noted = topics.map((topic, index) =>
      makePage(index + 1, [
        ...(index > 3 ? [{ text: '(continued from previous page)', y: 60, size: 8 }] : []),
        { text: `Here ${topic} at the top of the page`, y: 90 + index },
        { text: `There ${topic} in the middle of the page, with more to read`, y: 300 + 5 * index },
        {
          text: `Manual of the pump for the owner and for the service of the maker, page ${index + 1} of 8`,
          y: 805,
        },
      ]),
    );
    assert.deepEqual(
      dropFurniture(noted, []).map((page) => page.lines.length),
      topics.map(() => 2),
    );
  });

  it('removes long notices that differ between left and right pages, also where a page is longer', () => {
    const left = 'Pages of the laboratory for pumps and valves, http://pumps.example/pages/of/all';
    const right =
      'Visit http://pumps.example/pages of the laboratory; it was printed on 2017/05/01';
    const noted = topics.map((topic, index) =>
      makePage(index + 1, [
        { text: `Here ${topic} at the top of the page`, y: 90 + 7 * index },
        { text: `There ${topic} in the middle, with more to read`, y: 300 + 5 * index },
        { text: index % 2 === 0 ? left : right, y: index === 2 ? 812 : 780, size: 8 },
        { text: String(index + 1), y: index === 2 ? 826 : 794 },
      ]),
    );
    assert.deepEqual(
      dropFurniture(noted, []).map((page) => page.lines.length),
      topics.map(() => 2),
    );
  });

  it('removes a small head that quotes the title of a paper of few pages, beside its authors', () => {
    const heads = ['', 'King and Flannery, 2005', 'New Functions', 'King and Flannery, 2005'];
    const noted = heads.map((head, index) =>
      makePage(index + 1, [
        index === 0 ? { text: 'New Functions', y: 90, size: 16 } : { text: head, y: 40, size: 8 },
        ...Array.from({ length: 12 }, (_, at) => `Here ${topics[index]} at the line ${at}`),
      ]),
    );
    assert.deepEqual(
      dropFurniture(noted, []).map((page) => page.lines.length),
      [13, 12, 12, 12],
    );
  });

  it('removes heads that name a chapter and its section, which stand in slightly larger type', () => {
    const noted = topics.map((topic, index) =>
      makePage(index + 1, [
        {
          text: `${index}.1 All that ${topics[index - 1]}\t${index} How ${topic}`,
          y: 40,
          italic: true,
        },
        { text: `${index} How ${topic}`, y: 80 + index, size: 12 },
        `Here ${topic} at the top of the page`,
        { text: `${index + 1}.1 All that ${topic}`, y: 300 + 5 * index, size: 12 },
        `There ${topic} in the middle of the page, with more to read`,
      ]),
    );
    assert.deepEqual(
      dropFurniture(noted.slice(1), []).map((page) => page.lines.length),
      topics.slice(1).map(() => 4),
    );
  });

  it('removes all lines of a foot, however many', () => {
    const foot = ['Published in the journal of pumps,', 'volume 3.', 'See also', 'our address.'];
    const noted = topics.map((topic, index) =>
      makePage(index + 1, [
        { text: `Here ${topic} at the end of the page, and`, y: 700 },
        ...foot.map((text, at) => ({ text, size: 9, y: 740 + 12 * at })),
      ]),
    );
    assert.deepEqual(
      dropFurniture(noted, []).map((page) => page.lines.length),
      topics.map(() => 1),
    );
  });

  it('removes headers that repeat the title of the section', () => {
    const titles = [
      'installing the system',
      'network settings',
      'users and groups',
      'backing up',
      'printing',
    ];
    const running = titles.map((title, index) =>
      makePage(index + 1, [
        { text: title.toUpperCase(), y: 40 },
        { text: title, y: 90 },
        { text: `Body ${title.length} of ${topics[index] ?? ''}`, y: 110 },
      ]),
    );
    const outline = titles.map((title, index) => ({ title, level: 1, page: index + 1, y: 90 }));
    const kept = dropFurniture(running, outline);
    assert.deepEqual(
      kept.map((page) => page.lines[0]?.text),
      titles,
    );
  });

  it('keeps headings at the top of every page if no header is above them', () => {
    const opening = topics.map((topic, index) =>
      makePage(index + 1, [
        { text: `${index + 1}. On ${topic}`, y: 40 },
        { text: `Body of ${topic}`, y: 90 },
      ]),
    );
    const outline = topics.map((topic, index) => ({
      title: `On ${topic}`,
      level: 1,
      page: index + 1,
      y: 40,
    }));
    assert.deepEqual(dropFurniture(opening, outline), opening);
  });

  it('keeps numbered headings at the top of every page, even without bookmarks', () => {
    const openings: ((topic: string, index: number) => Partial<Line>)[] = [
      (topic, index) => ({ text: `${index + 1} Why ${topic}`, bold: true }),
      (topic, index) => ({ text: `${index + 1} Why ${topic}`, size: 20, bold: true }),
      (_, index) => ({ text: `Lesson ${index + 1}`, size: 20 }),
      (_, index) => ({ text: `Error E${101 + index}`, size: 16, bold: true }),
    ];
    for (const opening of openings) {
      const opened = topics.map((topic, index) =>
        makePage(index + 1, [
          { y: 60, ...opening(topic, index) },
          { text: `It is well known that ${topic} as they do`, y: 90 },
          { text: String(index + 1), y: 805 },
        ]),
      );
      assert.deepEqual(
        dropFurniture(opened, []).map((page) => page.lines.map((line) => line.text)),
        opened.map((page) => page.lines.slice(0, 2).map((line) => line.text)),
      );
    }
  });

  it('keeps the text of forms that differ only in their values from page to page', () => {
    const sheets = topics.map((_, index) =>
      makePage(index + 1, [
        { text: `Pump model P-${100 + index}`, y: 60, size: 18 },
        {
          text: `Rated for ${200 + index} V and ${index + 2} A at ${20 + index} degrees and no more than that`,
          y: 90,
        },
        { text: `Weight: ${10 + index} kg`, y: 110 },
      ]),
    );
    assert.deepEqual(dropFurniture(sheets, []), sheets);
    const alike = topics.map((_, index) =>
      makePage(index + 1, [
        { text: `Sheet ${index + 1}`, y: 60 },
        { text: `Weight: ${10 + index} kg`, y: 90 },
      ]),
    );
    assert.deepEqual(dropFurniture(alike, []), alike);
  });

  it('keeps all text of a document with one page', () => {
    const single = [
      makePage(1, [
        { text: 'Title', y: 30 },
        { text: '1', y: 810 },
      ]),
    ];
    assert.deepEqual(dropFurniture(single, []), single);
  });
});

describe('Removing tables of contents', () => {
  it('removes a table of contents and keeps the text after it', () => {
    const page = makePage(1, [
      'Inhaltsverzeichnis',
      '1\tEinleitung\t3',
      '1.1 Zweck . . . . . . . . 4',
      '2\tNetz\t7',
      '3 Anhang (mit einem langen Titel). .201',
      'Einleitung',
      'Der Text beginnt.',
      'Er geht weiter.',
      'Und weiter.',
      'Er hat 12',
    ]);
    assert.deepEqual(
      dropContents([page])[0]?.lines.map((line) => line.text),
      ['Einleitung', 'Der Text beginnt.', 'Er geht weiter.', 'Und weiter.', 'Er hat 12'],
    );
  });

  it('removes an index of terms with its letters and wrapped page lists', () => {
    const page = makePage(1, [
      'The last words.',
      'Index',
      'B',
      'backup, 12, 40–42',
      'boot loader, 7, 9, 13,',
      '15, 16',
      'C',
      'console, 3',
      'Licence',
      'Everybody may copy this text.',
      'And change it.',
      'And sell it.',
      'And read it.',
    ]);
    assert.deepEqual(
      dropContents([page])[0]?.lines.map((line) => line.text),
      [
        'The last words.',
        'Licence',
        'Everybody may copy this text.',
        'And change it.',
        'And sell it.',
        'And read it.',
      ],
    );
  });

  it('keeps a section about a database index', () => {
    const page = makePage(1, [
      'Index',
      'An index makes queries fast.',
      'Make one by hand in version 12',
      'It costs disk.',
    ]);
    assert.equal(dropContents([page])[0]?.lines.length, 4);
  });

  it('keeps a price table, which has no contents title and no dot leaders', () => {
    const page = makePage(1, ['Prices', 'Screw\t3', 'Nail\t4', 'Bolt\t12', 'Nut\t2', 'Washer\t1']);
    assert.equal(dropContents([page])[0]?.lines.length, 6);
  });
});

describe('Joining two lines', () => {
  it('joins a hyphenated word that occurs elsewhere in the document', () => {
    assert.equal(
      joinLines('the instal-', 'lation starts', wordsOf('installation of the system')),
      'the installation starts',
    );
  });

  it('keeps the hyphen of a compound that occurs elsewhere in the document', () => {
    assert.equal(
      joinLines('a command-', 'line tool', wordsOf('the command-line interface')),
      'a command-line tool',
    );
  });

  it('keeps the hyphen and the space in "Ein- und Ausgabe"', () => {
    assert.equal(joinLines('Die Ein-', 'und Ausgabe', wordsOf('Eingabe')), 'Die Ein- und Ausgabe');
  });

  it('keeps the hyphen of a compound whose first half ends in a bracket or quotation mark', () => {
    assert.equal(joinLines('das gettext(1)-', 'Werkzeug', wordsOf('')), 'das gettext(1)-Werkzeug');
    assert.equal(joinLines('”ein”-', 'und ausschalten', wordsOf('')), '”ein”- und ausschalten');
  });

  it('keeps a hyphen before a capital letter or a digit', () => {
    assert.equal(joinLines('das GNU/Linux-', 'System', wordsOf('x')), 'das GNU/Linux-System');
    assert.equal(joinLines('see RFC-', '9457', wordsOf('x')), 'see RFC-9457');
  });

  it('joins the parts of an identifier in capitals without a space', () => {
    assert.equal(joinLines('see OA_SOAP_SEN_', 'IN_PWR', wordsOf('x')), 'see OA_SOAP_SEN_IN_PWR');
    assert.equal(
      joinLines('see foo_', 'bar and __init__', wordsOf('x')),
      'see foo_ bar and __init__',
    );
    assert.equal(joinLines('call __INIT__', 'TWICE', wordsOf('x')), 'call __INIT__ TWICE');
  });

  it('joins an option that is cut behind its dashes', () => {
    const words = wordsOf('run it –x_axis linear --all');
    assert.equal(joinLines('-y gflops –', 'x_axis log2', words), '-y gflops –x_axis log2');
    assert.equal(joinLines('the option --', 'all prints', words), 'the option --all prints');
    assert.equal(joinLines('the option –', 'all of it', words), 'the option – all of it');
  });

  it('joins no dash with its word', () => {
    assert.equal(
      joinLines('mechanisms --', 'well-known frames', wordsOf('x')),
      'mechanisms -- well-known frames',
    );
    assert.equal(
      joinLines('mail me@here.org.', 'The address', wordsOf('x')),
      'mail me@here.org. The address',
    );
  });

  it('drops the hyphen of a word with a number, but not of a name', () => {
    const words = wordsOf('RENAME and RENAME2');
    assert.equal(joinLines('LINK, RE-', 'NAME2, OPEN', words), 'LINK, RENAME2, OPEN');
    assert.equal(joinLines('the UTF-', 'EBCDIC', words), 'the UTF-EBCDIC');
  });

  it('joins lines at a soft hyphen and between Chinese characters without a space', () => {
    assert.equal(joinLines('Instal\u00ad', 'lation', wordsOf('x')), 'Installation');
    assert.equal(joinLines('软件', '包', wordsOf('x')), '软件包');
  });
});

describe('The title of a section', () => {
  for (const [title, bare] of [
    ['Kapitel 3. Netzwerk', 'Netzwerk'],
    ['Chapter 12: Backing up', 'Backing up'],
    ['3.2.1 Network settings', 'Network settings'],
    ['A.1. Options', 'Options'],
    ['Capítulo 2 Instalación', 'Instalación'],
    ['第 3 章 安装', '安装'],
    ['28. Appendix A - Licence', 'Licence'],
    ['C O N T E N T S', 'CONTENTS'],
    ['802.11 wireless', '802.11 wireless'],
  ] as const) {
    it(`is "${bare}" for the heading "${title}"`, () =>
      assert.equal(stripNumber(title, false), bare));
  }

  it('includes a plain number unless the document numbers its headings', () => {
    assert.equal(stripNumber('3 ways to install', false), '3 ways to install');
    assert.equal(stripNumber('3 Networks', true), 'Networks');
  });

  it('keeps the number of a part of something', () => {
    assert.equal(stripNumber('9 Part 4 of the Library', true), 'Part 4 of the Library');
    assert.equal(stripNumber('Teil 2 der Regeln', false), 'Teil 2 der Regeln');
  });

  it('matches its bookmark despite a different number or other quotation marks', () => {
    assert.equal(titleKey('4.7 Step 3: “Modification”'), titleKey('Step 3: "Modification"'));
  });
});

describe('A font name', () => {
  it('shows whether the font is bold, italic or monospaced', () => {
    assert.deepEqual(traitsOfName('IVUZKL+LiberationSans-BoldItalic'), {
      bold: true,
      italic: true,
      mono: false,
    });
    assert.deepEqual(traitsOfName('CMBX12'), { bold: true, italic: false, mono: false });
    // The bold Times of TeX.
    assert.ok(traitsOfName('ABCDEF+NimbusRomNo9L-Medi').bold);
    assert.ok(traitsOfName('NimbusRomNo9L-MediItal').bold);
    assert.ok(!traitsOfName('Roboto-Medium').bold);
    assert.ok(traitsOfName('CMITT10').mono);
    assert.deepEqual(traitsOfName('LMMonoLt10-Regular'), {
      bold: false,
      italic: false,
      mono: true,
    });
  });
});

describe('The end of a PDF file', () => {
  const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));

  it('is missing if objects follow the last end mark, or if there is no valid end mark', () => {
    assert.ok(endsEarly(bytes('%PDF-1.7 1 0 obj <<>> endobj')));
    assert.ok(endsEarly(bytes('%PDF-1.7 startxref 9 %%EOF 7 0 obj << /Length 9000 >> stream')));
    assert.ok(
      endsEarly(bytes('%PDF-1.7 1 0 obj << /Linearized 1 /L 99999 >> endobj startxref 0 %%EOF')),
    );
  });

  it('is present if only blanks or a mail footer follow it', () => {
    assert.ok(
      !endsEarly(
        bytes('%PDF-1.7 1 0 obj <<>> endobj startxref 9 %%EOF\n\n-- \nsent from my phone'),
      ),
    );
  });
});
