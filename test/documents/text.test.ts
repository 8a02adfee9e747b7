import assert from 'node:assert/strict';
import { decodeText, isBinary } from '../../src/documents/decode-text.js';
import { placesOf, read, textOf } from './read.js';

describe('A plain text', () => {
  it('has headings that are underlined, numbered or in capitals', async () => {
    const text = 'Router\n======\n\nOne.\n\nReset\n-----\n\nTwo.\n\n';
    assert.deepEqual(await placesOf('text', text), [
      ['Router', 'router'],
      ['Router › Reset', 'reset'],
    ]);
    assert.deepEqual(
      await placesOf('text', '1. Start\n\nOne.\n\n1.1 Why is it so?\n\nTwo.\n\n2. End\n\nThree.'),
      [
        ['Start', 'start'],
        ['Start › Why is it so?', 'why-is-it-so'],
        ['End', 'end'],
      ],
    );
    assert.deepEqual(await placesOf('text', 'FIRST THINGS\n\nOne.\n\nLAST THINGS\n\nTwo.'), [
      ['FIRST THINGS', 'first-things'],
      ['LAST THINGS', 'last-things'],
    ]);
  });

  it('joins the lines of paragraphs, and keeps lists and listings', async () => {
    const text =
      'A sentence that\ngoes on.\n\n  * one\n    more\n  * two\n\nRun::\n\n    $ a\n      b\n\n1) first\n2) second';
    assert.equal(
      await textOf('text', text),
      'A sentence that goes on.\n\n- one more\n- two\n\nRun:\n\n```\n$ a\n  b\n```\n\n1) first\n2) second',
    );
  });

  it('has the name of the file above chapters whose names say nothing', async () => {
    const text = 'INTRODUCTION\n\nOne.\n\nREQUIREMENTS\n\nTwo.';
    assert.deepEqual(await placesOf('text', text, { fileName: 'pump--pump-guide.txt' }), [
      ['Pump guide › INTRODUCTION', 'introduction'],
      ['Pump guide › REQUIREMENTS', 'requirements'],
    ]);
    assert.deepEqual(await placesOf('text', text, { fileName: 'README.txt' }), [
      ['INTRODUCTION', 'introduction'],
      ['REQUIREMENTS', 'requirements'],
    ]);
  });

  it('knows titles between signs', async () => {
    assert.deepEqual(await placesOf('text', 'The pump\n========\n\nA.\n\n***** OIL ******\nB.'), [
      ['The pump', 'the-pump'],
      ['The pump › OIL', 'oil'],
    ]);
    const mark = '-----BEGIN KEY-----\nabc\n-----END KEY-----';
    assert.deepEqual(await placesOf('text', mark), [['File', null]]);
  });

  it('gives rows of one look one verdict, and ends code where sentences or a title begin', async () => {
    const rows =
      'lid - opens the pump\nvalve - lets the water of the pump out\noil - oils it, and so on';
    assert.equal(
      await textOf('text', `Parts\n\n${rows}`),
      `Parts\n\n${rows.replaceAll('\n', '\n\n')}`,
    );
    const code =
      'int a(int b);\nint c(int d);\n\n  To open the lid in other ways, there are two\nfunctions (they are slow):';
    assert.equal(
      await textOf('text', `${code}\n\nint e(int f);\nint g(int h);\n\n4) Lid\n------\n\nEnd.`),
      '```\nint a(int b);\nint c(int d);\n```\n\nTo open the lid in other ways, there are two functions (they are slow):\n\n```\nint e(int f);\nint g(int h);\n```\n\n### 4) Lid\n\nEnd.',
    );
  });

  it('reads indented sentences with signs and names as text', async () => {
    const text =
      "$lid_open\n\n      The <lid> of `pump-1' is open.  See $pump_open and the names in\n      section 2, which the _pump_ has if it is on.\n\nEnd.";
    assert.equal(
      await textOf('text', text),
      "$lid_open\n\nThe <lid> of `pump-1' is open. See $pump_open and the names in section 2, which the \\_pump_ has if it is on.\n\nEnd.",
    );
    const option =
      'Options\n=======\n\n-h, --help            Show help and exit\n\n        EXAMPLES\n\nEnd.';
    assert.deepEqual(await placesOf('text', option), [['Options', 'options']]);
  });

  it('leaves out what only says version, date and author below the title', async () => {
    const front = 'Version 1.2 - 3 May 2019\n\n(See http://example.org/pump for updates)';
    const text = (above: string) =>
      `The pump\n========\n\n${above}\n\nOil\n---\n\nA.\n\nLid\n---\n\nB.`;
    assert.doesNotMatch(await textOf('text', text(front)), /Version|updates/);
    assert.match(await textOf('text', text(`${front}\n\nIt pumps water.`)), /Version 1\.2/);
  });

  it('keeps what stands in brackets below a name as it is', async () => {
    const code = 'params = {\n        name:   pump,\n        lid:    open\n}';
    assert.equal(
      await textOf('text', `For example:\n\n${code}\n\nEnd.`),
      `For example:\n\n\`\`\`\n${code}\n\`\`\`\n\nEnd.`,
    );
  });

  it('takes what stands between lines of data for data, but for sentences', async () => {
    const list = 'pump >= 2.0 (optional)\nvalve (optional, to let the water out) and lamp\nlid = 1';
    assert.equal(await textOf('text', `${list}\n`), `\`\`\`\n${list}\n\`\`\``);
    assert.equal(
      await textOf('text', 'pump.on = 1\nThen open the valve of the pump:\nvalve.open = 1'),
      '```\npump.on = 1\n```\n\nThen open the valve of the pump:\n\n```\nvalve.open = 1\n```',
    );
    const codes = '0 = done\n    The pump was at work.\n1 = error';
    assert.equal(await textOf('text', codes), `\`\`\`\n${codes}\n\`\`\``);
  });

  it('keeps the rows of drawings, and sentences that end with a semicolon', async () => {
    const drawing =
      '10.0.0.1      10.0.0.2\n--+------------+----\n  |            |\n+-+-+        +-+-+\n| A |        | B |';
    assert.equal(
      await textOf('text', `Both:\n\n${drawing}\n\nEnd.`),
      `Both:\n\n\`\`\`\n${drawing}\n\`\`\`\n\nEnd.`,
    );
    assert.equal(
      await textOf(
        'text',
        'Take\n\ntwo of the red apples that are in it;\nthe second of the green ones;',
      ),
      'Take\n\ntwo of the red apples that are in it;\n\nthe second of the green ones;',
    );
  });

  it('keeps the lines of code and of what was typed, and joins those of paragraphs', async () => {
    const typed = '$ ed file\na\nwq';
    const code = 'set(A on)\nif(B)\n  c\nendif(B)';
    const prose = 'Press (a) and then the\nbutton --now; or wait for\nthe lamp.';
    assert.equal(
      await textOf(
        'text',
        `-*- text -*-\n${typed}\n\n${code}\n\n${prose}\n\na\tb\tc;\nabcd\tx\td;`,
      ),
      `\`\`\`\n${typed}\n\n${code}\n\`\`\`\n\n${prose.replaceAll('\n', ' ')}\n\n\`\`\`\na       b       c;\nabcd    x       d;\n\`\`\``,
    );
  });

  it('knows titles between lines of signs, in signs and in the middle, and steps with a slash', async () => {
    const text =
      '                    The pump\n\n1/ open\n2/ close\n\n===========\n  Oil\n===========\n\nOil it.\n\n# Lid #\n-------\n\nClose it.';
    assert.deepEqual(await placesOf('text', text), [
      ['The pump', 'the-pump'],
      ['The pump › Oil', 'oil'],
      ['The pump › Oil › Lid', 'lid'],
    ]);
    assert.match(await textOf('text', text), /1\. open\n2\. close/);
    const none =
      'A paragraph\nthat ends.\n------------------------\n\nRun this:\n\n# lid close\n\nDone.';
    assert.deepEqual(await placesOf('text', none, { fileName: 'lid' }), [['Lid', 'paragraph-1']]);
  });

  it('has each letter once where a printer had it twice, and the titles of Markdown', async () => {
    const text =
      'P\bPu\bum\bmp\bp\n\n# Oil\n\n_\bO_\bi_\bl it.\n\n Lid\n ---\n\n/BIND a b\n/BIND c d';
    assert.equal(
      await textOf('text', text),
      '### Oil\n\nOil it.\n\n### Lid\n\n```\n/BIND a b\n/BIND c d\n```',
    );
  });

  it('names paragraphs by their number where there is no heading, and takes its name as the title', async () => {
    const long = (word: string) => `${word} `.repeat(500).trim() + '.';
    const places = await placesOf('text', `${long('one')}\n\n${long('two')}\n\n${long('three')}`, {
      fileName: 'my_notes.txt',
    });
    assert.deepEqual(places, [
      ['My notes', 'paragraph-1'],
      ['My notes (2)', 'paragraph-3'],
    ]);
  });

  it('loses the signs of reStructuredText', async () => {
    const text =
      '.. contents::\n   :depth: 2\n\n.. note:: See :ref:`that <x>`, :var:`<A>` and ``code``. ::\n\n.. versionadded:: 3.1\n\n.. code-block:: sh\n   :linenos:\n\n   $ a\n\n**Bold** text.';
    assert.equal(
      await textOf('text', text),
      'Note: See that, <A> and code.\n\nNew in version 3.1\n\n```\n$ a\n```\n\nBold text.',
    );
  });

  it('drops the fields above a text of reStructuredText, and has listings below "::"', async () => {
    const text =
      '====\nPump\n====\n\n:Author: A. Person\n:abstract:\n  How to pump\n\nOil\n===\n\nSet this::\n\n  oil = "on"\n\n  water = "off"\n\n:Since: 2.0';
    assert.equal(
      await textOf('text', text),
      '### Oil\n\nSet this:\n\n```\noil = "on"\n\nwater = "off"\n```\n\nSince\n\n2.0',
    );
    assert.deepEqual(await placesOf('text', text), [['Pump › Oil', 'oil']]);
  });

  it('reads AsciiDoc: its sections, terms, listings, lists and links', async () => {
    const text =
      '= pump(1) =\nA. Person <a@example.org>\n:doctype: manpage\n\n== NAME ==\n*pump* - moves _oil_\n// a comment\n\n[[opts]]\n=== Options ===\n-o, --oil::\n  Takes `oil`, see <<oil,Oil>>.\n*-w*::\nTakes water.\n\ninclude::more.txt[]\n\nRun this program:\n----\npump {\n\n  -o\n}\n----\nSee https://example.org/oil[the page].\n\n* one\n** inner\n* two\n\n[options="header"]\n|===\n|a |b\n|c |d\n|===\n';
    assert.deepEqual(await placesOf('text', text), [
      ['pump(1) › NAME', 'name'],
      ['pump(1) › NAME › Options', 'options'],
    ]);
    assert.equal(
      await textOf('text', text),
      '### NAME\n\npump - moves oil\n\n### Options\n\n-o, --oil\n\nTakes `oil`, see Oil.\n\n-w\n\nTakes water.\n\nRun this program:\n\n```\npump {\n\n  -o\n}\n```\n\nSee [the page](https://example.org/oil).\n\n- one\n  - inner\n- two\n\n| a | b |\n| --- | --- |\n| c | d |',
    );
  });

  it('keeps what AsciiDoc passes through, and has attributes in attributes, without conditions', async () => {
    const text =
      '= Pump\n:site: https://example.org\n:page: {site}/oil\n\n== Oil\n\nSet `+__TIME__+`, +*+ and `-Wp,++*++`, see {page}[here].\nifdef::web[]\nIt is C++ and D++, `[-\\+]? [0-9]+` or `[-+] [0-9]+`.\nendif::[]\nEnd.';
    assert.match(
      await textOf('text', text),
      /Set `__TIME__`, \* and `-Wp,\*`, see \[here\]\(https:\/\/example.org\/oil\)\. It is C\+\+ and D\+\+, `\[-\\\+\]\? \[0-9\]\+` or `\[-\+\] \[0-9\]\+`\. End\.$/,
    );
  });

  it('has the columns that a table of AsciiDoc states, and the lists in its cells', async () => {
    const text =
      '== Oil\n\n[cols="^4,46,50a"]\n|===\n|S |Count\n|How many\nof them.\n\nOne by default.\n\n|D |Mode |\nOne of:\n\n[options="compact"]\n* `YES` - all\n* `NO` - none\n|===\n\n[[x]]\nEnd.';
    assert.match(
      await textOf('text', text),
      /\| S \| Count \| How many of them\. One by default\. \|\n\| --- \| --- \| --- \|\n\| D \| Mode \| One of: `YES` - all; `NO` - none \|/,
    );
  });

  it('has the listing of AsciiDoc below its style, and attributes that stand below the title', async () => {
    const rule = '-'.repeat(30);
    const text = `= Backup: {page}\n:page: FAQ\n\nRun it:\n\n[source,sh]\n${rule}\nrun \\\n  all\n${rule}\n\nStart\n-----\n\nSo:\n----\nrun one\n----\n\nDone.`;
    assert.deepEqual(await placesOf('text', text), [
      ['Backup: FAQ', 'backup-faq'],
      ['Backup: FAQ › Start', 'start'],
    ]);
    assert.match(
      await textOf('text', text),
      /Run it:\n\n```\nrun \\\n {2}all\n```\n\n### Start\n\nSo:\n\n```\nrun one\n```\n\nDone\.$/,
    );
  });

  it('keeps the lines of messages that AsciiDoc quotes by their indentation', async () => {
    const rows = [
      'The pump moves oil from here to there, it says',
      'Change the lid, or fix the oil',
      'and try to pump the oil again, or stop it all.',
    ];
    const text = `== Messages ==\n\nYou see this:\n\n\t${rows.join('\n\t')}\n\n== End ==\n\nIt ends.`;
    const code =
      '= Pump\n\n== Oil\n\nIt is oiled so:\n\n pump -o a b,\n pump -c\n\nor so.\n\n void *oil;';
    assert.match(
      await textOf('text', code),
      /```\npump -o a b,\npump -c\n```\n\nor so\.\n\n```\nvoid/,
    );
    assert.ok((await textOf('text', text)).includes(`this:\n\n\`\`\`\n${rows.join('\n')}\n\`\`\``));
  });

  it('has no icons and no numbers of links that a text browser printed', async () => {
    const links = Array.from({ length: 6 }, (_, at) => `the [${at + 1}]oil ${at}`).join(' and ');
    const text = `[arrow-red.gif] Pump\n\n   See [1] of ${links}, [logo.png] too.\n`;
    assert.equal(
      await textOf('text', text),
      'Pump\n\nSee [1] of the oil 0 and the oil 1 and the oil 2 and the oil 3 and the oil 4 and the oil 5, too.',
    );
    assert.match(
      await textOf('text', 'See [1]oil and [3]lid, a[1]b [logo.png].'),
      /\[1\]oil.*\[logo\.png\]/,
    );
  });

  it('joins lines only where the next word would not have fitted, and keeps data apart from words', async () => {
    const sentence = 'It moves the oil from one lid to the other and then on to the';
    const prose = `${sentence}\nnext one, as long as the lid is open; else it stops and\nwaits.`;
    const data = 'X:1\nT:The pump\nlid open';
    const text = `${prose}\nIt is green.\n\n${data}\n\nBy A. Person\nOn demand\n\nCause:\nThe lid is open.\n- close it\n\nOil it now and then, each day, by\npump --oil | lid\nand wait for some time until the lid of it is open for\nall.`;
    assert.equal(
      await textOf('text', text),
      `${prose.replaceAll('\n', ' ')}\n\nIt is green.\n\n\`\`\`\n${data}\n\`\`\`\n\nBy A. Person\n\nOn demand\n\nCause:\n\nThe lid is open.\n\n- close it\n\nOil it now and then, each day, by\n\n\`\`\`\npump --oil | lid\n\`\`\`\n\nand wait for some time until the lid of it is open for all.`,
    );
    const long = `${sentence} ${sentence} ${sentence}.`;
    assert.equal(
      await textOf('text', `${long}\n${long}\nDone.\n\n${long}\n\n\`\`\`\na\n\n  b\n\`\`\``),
      `${long}\n\n${long}\n\nDone.\n\n${long}\n\n\`\`\`\na\n\n  b\n\`\`\``,
    );
  });

  it('keeps the line breaks of items, and has options as terms of their explanations', async () => {
    const text =
      '- Unpack all of it into a new folder,\n  and then run this:\n  ./pump --oil\n  make\n- Wait.\n\nOptions:\n\n    -o <lid>\n        Open the <lid>.\n\n    -c\n        Close it\n\nSources:\n\n  http://example.org/a\n  http://example.org/b';
    assert.equal(
      await textOf('text', text),
      '- Unpack all of it into a new folder, and then run this:\n\n  ```\n  ./pump --oil\n  make\n  ```\n\n- Wait.\n\nOptions:\n\n-o <lid>\n\nOpen the <lid>.\n\n-c\n\nClose it\n\nSources:\n\n```\nhttp://example.org/a\nhttp://example.org/b\n```',
    );
  });

  it('reads roles over two lines, escaped signs, boxes and statements of SQL', async () => {
    const text =
      'If you would like to oil it, :doc:`read the\nguide of oil <oil>`, and run mh\\_pump.\n\n.. warning::\n\n   It is hot.\n\n.. note:: It is red.\n\nALTER TABLE lid DROP INDEX oil;\n\nDone.';
    assert.equal(
      await textOf('text', text),
      'If you would like to oil it, read the guide of oil, and run mh_pump.\n\nWarning: It is hot.\n\nNote: It is red.\n\n```\nALTER TABLE lid DROP INDEX oil;\n```\n\nDone.',
    );
  });

  it('has the name of a manual page of one page as its title, and not its foot', async () => {
    const edge = (words: string) => `PUMP(1)             ${words}             PUMP(1)`;
    const text = `${edge('Manual')}\n\n\nNAME\n       pump - pumps oil\n\nDESCRIPTION\n       It pumps.\n       It is red.\n\n       It is hot.\n       It runs.\n       It stops.\n       It rests.\n\n       See lid(1) and PUMP(1)\n\nBUGS\n       It is not PUMP(1)\n\n${edge('2022-07-23')}\n`;
    assert.deepEqual(
      (await placesOf('text', text)).map(([title]) => title),
      ['PUMP(1) › NAME', 'PUMP(1) › DESCRIPTION', 'PUMP(1) › BUGS'],
    );
    assert.match(await textOf('text', text), /It is not PUMP\(1\)$/);
  });

  it('keeps sentences apart from the listing that they announce', async () => {
    const lead = 'A time of the pump for all of the day\ncould look like this one:';
    const text = `Note1: It is strict (no\nless).\nNote2: It is the whole.\n\n${lead}\n  time t {\n     weekly  1  # one\n     daily   2  # two\n     hourly  3  # three\n  }`;
    assert.equal(
      await textOf('text', text),
      `Note1: It is strict (no less).\n\nNote2: It is the whole.\n\n${lead.replace('\n', ' ')}\n\n\`\`\`\ntime t {\n   weekly  1  # one\n   daily   2  # two\n   hourly  3  # three\n}\n\`\`\``,
    );
  });

  it('has headings at the left of indented text, and listings there', async () => {
    const body = 'It moves oil from here to there, and back.';
    const text = `PUMP\n    ${body}\n\nPARTS\n  Lid\n    ${body}\n\n    -o  Takes oil\n        and water.\n\n  Oil\n    ${body}\n    Write this:\nOil: <name>\n\n    ${body}\n\n    GREASE\n        ${body}\n`;
    assert.deepEqual(await placesOf('text', text), [
      ['PUMP', 'pump'],
      ['PARTS › Lid', 'lid'],
      ['PARTS › Oil', 'oil'],
    ]);
    assert.equal(
      await textOf('text', text),
      `### PUMP\n\n${body}\n\n### Lid\n\n${body}\n\n-o\n\nTakes oil and water.\n\n### Oil\n\n${body} Write this:\n\n\`\`\`\nOil: <name>\n\`\`\`\n\n${body}\n\nGREASE\n\n${body}`,
    );
  });

  it('has headings of several lines at the left, text below them, and no authors of the cover among them', async () => {
    const body = 'It moves oil from here to there, and back again, when the lid is\n    closed.';
    const long = '1.1. How does it come that a pump of oil moves water, when the lid\nis open?';
    const text = `                 The pump\n\n-----------\n\n                 A. Person\n\n    ${body}\n\nContents\n\n    1.1. How\n\n${long}\n\n    ${body}\n\nThis is why it moves the one and not the other, when there is none of it.\n\n1.2. When?\n\n    ${body}\n`;
    assert.deepEqual(
      (await placesOf('text', text)).map(([title]) => title),
      [
        'The pump',
        'The pump › How does it come that a pump of oil moves water, when the lid is open?',
        'The pump › When?',
      ],
    );
    const cover = `Pump guide\n\n                    A. Person\n\nContents\n\n    1. Oil\n\n1. Oil\n\n    ${body}\n\n2. Lid\n\n    ${body}\n`;
    assert.deepEqual(
      (await placesOf('text', cover)).map(([title]) => title),
      ['Pump guide', 'Pump guide › Oil', 'Pump guide › Lid'],
    );
    const chapters = `Chapter 1. Oil\n\n    ${body}\n\n1.1. Lids\n\n    ${body}\n\nChapter 2. Water\n\n    ${body}\n`;
    assert.deepEqual(
      (await placesOf('text', chapters)).map(([title]) => title),
      ['Oil', 'Oil › Lids', 'Water'],
    );
    assert.match(await textOf('text', text), /closed\.\n\nThis is why it moves .* of it\.\n\n###/);
  });

  it('has numbered questions as headings where their answers are not indented, and initials as they are', async () => {
    const text =
      '1) What is it?\n\nIt is a pump, by\nA. Person.\n\n2) What does it do?\n\nIt pumps oil.\n\n3) Who has made it?\n\nA. Person, and B. Other.\n\nPart II. Lids\n\nThey close.';
    assert.deepEqual(
      (await placesOf('text', text)).map(([title]) => title),
      ['What is it?', 'What does it do?', 'Who has made it?', 'Lids'],
    );
    assert.match(await textOf('text', text), /\nA\. Person, and B\./);
    assert.equal(await textOf('text', 'Q. Why?\nA. Why not?'), '### Why?\n\nWhy not?');
  });

  it('keeps patterns of files, and has a first title that is indented with its line', async () => {
    const text =
      '      Pump\n      ====\n\nSee lib/*/pump/*.so and *all* lids.\n\nLid\n---\n\nOne.';
    assert.match(await textOf('text', text), /lib\/\\?\*\/pump\/\\?\*\.so and all lids/);
    assert.deepEqual((await placesOf('text', text))[0], ['Pump', 'pump']);
  });

  it('has what a colon announces as code, and not what announces more', async () => {
    const text =
      'The pump is oiled by this command:\n\npump oil\n\nIt has these parts:\n\nlid/:\n\n    It closes the pump.\n\nWhat is new?\n- oil = more of it\n- water = less\n\nQ.1. Why?\n\nWhy not?';
    assert.equal(
      await textOf('text', text),
      'The pump is oiled by this command:\n\n```\npump oil\n```\n\nIt has these parts:\n\nlid/:\n\nIt closes the pump.\n\nWhat is new?\n\n- oil = more of it\n- water = less\n\n### Why?\n\nWhy not?',
    );
  });

  it('has no heading of a numbered step that announces what is indented below it', async () => {
    const steps = '1. Oil it:\n\n   sudo pump oil\n\n2. Close the lid:\n\n   sudo pump close\n\n';
    const text = `The pump\n\nBegin\n${steps}It moves.`;
    assert.doesNotMatch(await textOf('text', text), /^#/m);
    assert.deepEqual(
      (await placesOf('text', '1. Oil:\n\nOil it.\n\n2. Lids:\n\nClose them.')).map(
        ([title]) => title,
      ),
      ['Oil', 'Lids'],
    );
  });

  it('has short lines of equals signs below its headings, and appendixes with letters', async () => {
    const text = 'Introduction\n===\n\nIt pumps.\n\nConfiguration\n===\n\nOil it.';
    assert.deepEqual(
      (await placesOf('text', text)).map(([title]) => title),
      ['Introduction', 'Configuration'],
    );
    const parts = '1. Oil\n\nOil it.\n\nAppendix A. Lids\n\nThey close.\n\nA.1. Sizes\n\nOne.';
    assert.deepEqual(
      (await placesOf('text', parts)).map(([title]) => title),
      ['Oil', 'Lids', 'Lids › Sizes'],
    );
  });

  it('has headings in capitals directly above their text, but not labels, and short lines where nothing else is a heading', async () => {
    const titles = async (text: string) => (await placesOf('text', text)).map(([title]) => title);
    const text =
      'OIL PARTS\n- lids: all of them\n\nLID\n4     number\n\nHINT\nTurn it round.\n\nHINT\nTurn it back.\n\nEND\n\n';
    assert.deepEqual(await titles(text), ['OIL PARTS']);
    const body = 'It moves oil from here to there, and back again, when a lid is open.';
    const parts = ['Oil of pumps', 'Lids', 'Water'].map((title) => `${title}\n\n${body}`);
    assert.deepEqual(await titles(`The pump\n\n${body}\n\n${parts.join('\n\n')}`), [
      'The pump',
      'The pump › Oil of pumps',
      'The pump › Lids',
      'The pump › Water',
    ]);
    assert.match(
      await textOf('text', 'Set it like this.\n\nmake oil \\\n  lid\n'),
      /```\nmake oil \\\n  lid\n```/,
    );
  });

  it('keeps settings, and listings with empty lines, apart from sentences', async () => {
    const text =
      'Set some values\nin this file:\noil = 1\nwater = 2\nand start it.\n\nplugin {\n  # Oil\n  oil = 1\n\n  # Water\n  water = 2\n}\n\nThe end of it.';
    assert.equal(
      await textOf('text', text),
      'Set some values in this file:\n\n```\noil = 1\nwater = 2\n```\n\nand start it.\n\n```\nplugin {\n  # Oil\n  oil = 1\n\n  # Water\n  water = 2\n}\n```\n\nThe end of it.',
    );
  });

  it('has questions as headings of their answers', async () => {
    const text =
      'Q: Does it pump oil, and what\n   does it cost?\nA: It does. Run this:\n     $ pump\n   It costs nothing.\n\nQ: Why?\nA: Why not?';
    assert.equal(
      await textOf('text', text),
      '### Does it pump oil, and what does it cost?\n\nIt does. Run this:\n\n```\n$ pump\n```\n\nIt costs nothing.\n\n### Why?\n\nWhy not?',
    );
  });

  it('keeps terms apart from their explanations, and knows numbered headings from them', async () => {
    const text =
      'The pump\n\n1. Parts\n\n1.1. Lid\n\nIt closes.\n\nRAID10\n\n    Several discs make one, so that data is safe when one breaks, and faster.\n\n1.2. Oil\n\nlimit = 1\n  The most of it.\n\n2. End\n\nIt ends.';
    assert.deepEqual(await placesOf('text', text), [
      ['The pump › Parts › Lid', 'lid'],
      ['The pump › Parts › Oil', 'oil'],
      ['The pump › End', 'end'],
    ]);
    assert.match(
      await textOf('text', text),
      /RAID10\n\nSeveral.*\n\n### 1.2. Oil\n\nlimit = 1\n\nThe most/s,
    );
  });

  it('names a first heading like the others as the title if the file has its name', async () => {
    const text = 'Oil pump\n--------\n\nOne.\n\nLid\n---\n\nTwo.';
    assert.deepEqual(await placesOf('text', text, { fileName: 'pump.txt' }), [
      ['Oil pump', 'oil-pump'],
      ['Oil pump › Lid', 'lid'],
    ]);
    assert.deepEqual(await placesOf('text', text), [
      ['Oil pump', 'oil-pump'],
      ['Lid', 'lid'],
    ]);
  });

  it('puts footnotes of printed pages below their marks', async () => {
    const text = 'Pump it^[1] twice.\n\nLid\n---\n\nClose it.\n\n^[1] Or more^[2].';
    assert.equal(
      await textOf('text', text),
      'Pump it[^1] twice.\n\n### Lid\n\nClose it.\n\n[^1]: Or more^[2].',
    );
  });

  it('has no list of its own headings', async () => {
    const text =
      'Contents\n--------\n\n1.   Lid\n1.1.   Oil\n2.   Pump ...... 7\n\n1. Lid\n------\n\nOne.\n\n1.1. Oil\n--------\n\nTwo.\n\n2. Pump\n-------\n\nThree.';
    assert.equal(
      await textOf('text', text),
      '### 1. Lid\n\nOne.\n\n### 1.1. Oil\n\nTwo.\n\n### 2. Pump\n\nThree.',
    );
  });

  it('drops the whole list of contents, though some headings look otherwise in the text, and keeps numbered lines apart', async () => {
    const list = '1. Lid\n1.1. Oil\n1.2. Water\n1.3. Air and\n2. Pump';
    const text = `Contents\n--------\n\n${list}\n\n1. Lid\n------\n\nOne.\n\n1.1. Oil\n--------\n\nTwo.\n\n1.2. Water\n----------\n\nWe need\n\n2.1. the name\n2.2. the key of the lid, which is as long as the\n     line\n2.3. the oil`;
    assert.equal(
      await textOf('text', text),
      '### 1. Lid\n\nOne.\n\n### 1.1. Oil\n\nTwo.\n\n### 1.2. Water\n\nWe need\n\n2.1. the name\n\n2.2. the key of the lid, which is as long as the line\n\n2.3. the oil',
    );
  });

  it('keeps a list of its own headings that a sentence announces', async () => {
    const list = '- oil_\n- water_\n- air_';
    const text = `Pump\n====\n\nIt pumps.\n\nFluids\n------\n\nfor this pump:\n\n${list}\n\noil\n\`\`\`\n\nOne.\n\nwater\n\`\`\`\`\`\n\nTwo.\n\nair\n\`\`\`\n\nThree.`;
    assert.match(await textOf('text', text), /for this pump:\n\n- oil_\n- water_\n- air_\n/);
  });

  it('joins words that are broken at the end of a line, but not compounds', async () => {
    assert.equal(
      await textOf(
        'text',
        'The confirmation of this interesting prompt needs a con-\nfirmation by a well known key, which is a left-\nhanded, and left-handed is in- or\noutside. Thus an inter-\nesting key.',
      ),
      'The confirmation of this interesting prompt needs a confirmation by a well known key, which is a left-handed, and left-handed is in- or outside. Thus an interesting key.',
    );
  });

  it('has no heads and feet of printed pages, not even within a sentence', async () => {
    const page = (number: number) =>
      [
        '',
        `Guide of the pump          ${number}`,
        '',
        ...Array.from(
          { length: 40 },
          () => 'the oil is warm and the lid of the pump is not closed when',
        ),
        '',
        'Pump 3.6           March 8, 2020',
        '',
      ].join('\n');
    const printed = `                    The pump\n\n                    March 8, 2020\n\nOil.\n${[1, 2, 3, 4].map(page).join('\n')}\nit runs.`;
    const text = await textOf('text', printed);
    assert.match(text, /^### The pump\n\nMarch 8, 2020\n\nOil\.\n\nthe oil/);
    assert.ok(!/Guide|3\.6/.test(text));
    assert.match(text, /not closed when the oil/);
    const fed = [1, 2, 3].map((number) => `Words of it.\n\n\nPump, page ${number}\n\f`).join('\n');
    assert.equal(await textOf('text', fed), 'Words of it.\n\nWords of it.\n\nWords of it.');
  });

  it('has single blanks between the words of a justified text', async () => {
    const row = 'the oil is  warm and the  lid of the  pump is  not  closed';
    const entry = `/    ${row.slice(5)}`;
    const text = await textOf('text', `${Array(30).fill(row).join('\n')}\nyet.\n\n${entry}`);
    assert.doesNotMatch(text, /warm and the {2}|```/);
  });

  it('has keys with their explanation beside them, and paragraphs whose first line is indented', async () => {
    const text =
      '     You can put a number before some of the commands to repeat\nthem so often as it says when the pump runs without its oil.\n\nf    Fire one of the objects that are in the pump,\n     and in the lid.\n\nA.  Try to run it with the lid of the pump wide open, or have it\n    closed.\n\nThe list has:\n\n·       oil\n·       lid';
    assert.equal(
      await textOf('text', text),
      'You can put a number before some of the commands to repeat them so often as it says when the pump runs without its oil.\n\nf\n\nFire one of the objects that are in the pump, and in the lid.\n\nA. Try to run it with the lid of the pump wide open, or have it closed.\n\nThe list has:\n\n- oil\n- lid',
    );
  });

  it('has questions behind a mark without a colon, rules above headings, and output behind two signs', async () => {
    const questions =
      'THE PUMP\n\nQ01     Do I need oil for a pump that is full?\nA01     Yes, the pump needs\n        some.\n\nQ02     Why?\nA02     See:\n>> pump: not found\n>> pump(1)\nThe above says that there is none.';
    assert.deepEqual(
      (await placesOf('text', questions)).map(([title]) => title),
      ['THE PUMP › Do I need oil for a pump that is full?', 'THE PUMP › Why?'],
    );
    assert.match(
      await textOf('text', questions),
      /```\n>> pump: not found\n>> pump\(1\)\n```\n\nThe above says that there is none\.$/,
    );
    const line = '_'.repeat(60);
    const ruled = ['1       OIL', '2       LID']
      .map((title) => `${line}\n${title}\n\n        Words of it are here.\n`)
      .join('\n\n');
    assert.deepEqual(
      (await placesOf('text', `Pump\n====\n\nWater.\n\n${ruled}`)).map(([title]) => title),
      ['Pump', 'Pump › OIL', 'Pump › LID'],
    );
  });

  it('has its last line as text, though it is in capitals', async () => {
    const text = 'Pump\n====\n\nIt pumps.\n\nSee also\n--------\n\n../README\n';
    assert.equal(await textOf('text', text), '### Pump\n\nIt pumps.\n\n### See also\n\n../README');
  });

  it('has letters for the codes that another encoding has left', async () => {
    assert.equal(await textOf('text', 'From 1\u00962 \u009b3\u0081.'), 'From 1–2 ›3.');
    assert.equal(await textOf('markdown', '```\na\u009bb\n```'), '```\na›b\n```');
  });

  it('is decoded by its mark, as UTF-8, or as Windows-1252', () => {
    const cases: [Buffer, string][] = [
      [Buffer.from('Größe', 'utf8'), 'utf-8'],
      [Buffer.from('Gr\xf6\xdfe \x80', 'latin1'), 'windows-1252'],
      [Buffer.from('\ufeffGröße', 'utf16le'), 'utf-16le'],
      [Buffer.from('\ufeffGröße', 'utf16le').swap16(), 'utf-16be'],
      [Buffer.from('Größe ist hier', 'utf16le'), 'utf-16le'],
    ];
    for (const [bytes, encoding] of cases) {
      const decoded = decodeText(bytes);
      assert.equal(decoded.encoding, encoding);
      assert.match(decoded.text, /^Größe/);
    }
    assert.equal(decodeText(Buffer.from('a\r\nb\0\u0007\rc')).text, 'a\nb\nc');
    const printed = Buffer.from('P\bPu\bum\bmp\bp \u001b[1mo\u001b[0m');
    assert.equal(decodeText(printed).text, 'Pump o');
    assert.equal(isBinary(printed), false);
  });

  it('keeps the places of numbers and drawings', async () => {
    const { sections } = await read('text', '1  2.5  3\n4  5.5  6');
    assert.equal(sections[0]?.content, '```\n1  2.5  3\n4  5.5  6\n```');
    const table =
      'Paths of oil and of water    (for lids)   (optional)\nTimes of water to come       (for oil)    (optional)\nRules for water                           (optional)';
    assert.equal(await textOf('text', table), `\`\`\`\n${table}\n\`\`\``);
  });
});
