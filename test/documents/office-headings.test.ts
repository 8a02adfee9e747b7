import assert from 'node:assert/strict';
import { docx, odt, p, placesOf, read, textOf } from './read.js';

describe('The headings of a Word file', () => {
  it('has the headings of its styles, in any language and through other styles', async () => {
    const body = `${p('The manual', 'Titel')}${p('Above.')}${p('Start', 'berschrift1')}${p('One.')}${p('Own one', 'Own')}${p('Two.')}`;
    assert.deepEqual(await placesOf('docx', docx(body)), [
      ['The manual', 'paragraph-1'],
      ['The manual › Start', 'start'],
      ['The manual › Start › Own one', 'own-one'],
    ]);
    const parts = `${p('Start', 'berschrift1')}${p('One.')}${p('Part', 'Titel')}${p('Two.')}`;
    assert.deepEqual(await placesOf('docx', docx(parts)), [
      ['Start', 'start'],
      ['Part', 'part'],
    ]);
  });

  it('has no version and date from the lines of its title', async () => {
    const cover = [
      ...['Policy of the doors', 'All floors', 'Software version:', 'ae223d61', 'Date: July 2nd'],
    ].map((line) => p(line, 'Titel'));
    const body = `${cover.join('')}${p('Start', 'berschrift1')}${p('One.')}`;
    assert.deepEqual(await placesOf('docx', docx(body)), [
      ['Policy of the doors All floors › Start', 'start'],
    ]);
  });

  it('finds headings by their looks where it has no styles', async () => {
    const bold = (text: string) => p(`<w:r><w:rPr><w:b/></w:rPr><w:t>${text}</w:t></w:r>`);
    const body = `${bold('Start')}${p('One.')}${p('More.')}${bold('End')}${p('Two.')}${p('More.')}`;
    assert.deepEqual(await placesOf('docx', docx(body)), [
      ['Start', 'start'],
      ['End', 'end'],
    ]);
  });

  it('finds headings by their looks where one heading has a style', async () => {
    const bold = (text: string) => p(`<w:r><w:rPr><w:b/></w:rPr><w:t>${text}</w:t></w:r>`);
    const long = p('A sentence of some length that fills the page. '.repeat(120));
    const body = `${p('Manual', 'berschrift1')}${bold('Start')}${long}${bold('End')}${long}`;
    const titles = (await placesOf('docx', docx(body))).map(([title]) => title ?? '');
    assert.deepEqual(
      [...new Set(titles.map((title) => title.replace(/ \(\d\)$/, '')))],
      ['Manual › Start', 'Manual › End'],
    );
  });

  it('finds headings by their looks where most of its text is below one with a style', async () => {
    const bold = (text: string) => p(`<w:r><w:rPr><w:b/></w:rPr><w:t>${text}</w:t></w:r>`);
    const body = `${p('Manual', 'berschrift1')}${bold('- Start')}${p('One. '.repeat(200))}${p('More.')}${bold('End')}${p('Two.')}${p('More.')}`;
    assert.deepEqual(await placesOf('docx', docx(body)), [
      ['Manual › Start', 'start'],
      ['Manual › End', 'end'],
    ]);
  });

  it('has of two looks in one size that above which stands directly above the other', async () => {
    const run = (text: string, ...looks: string[]) =>
      p(
        `<w:r><w:rPr>${looks.map((look) => `<w:${look}/>`).join('')}</w:rPr><w:t>${text}</w:t></w:r>`,
      );
    const large = (text: string) => run(text, 'sz w:val="32"');
    const bold = (text: string) =>
      run(text, 'b', 'sz w:val="32"') + p(`${text} is this. `.repeat(30)).repeat(3);
    const body = [
      large('Main window') + bold('Country') + bold('Proxy'),
      large('Node table') + bold('Nodes') + bold('Cycle'),
    ].join('');
    const titles = (await placesOf('docx', docx(body))).map(([title]) => title);
    assert.deepEqual(titles, [
      'Main window › Country',
      'Main window › Proxy',
      'Node table › Nodes',
      'Node table › Cycle',
    ]);
  });

  it('has appendices behind its last chapter as chapters', async () => {
    const chapter = (name: string) =>
      p(name, 'berschrift1') + p(`${name} is this.`) + p(`Of ${name}`, 'berschrift2') + p('More.');
    const appendix = p('Appendix A Licence', 'berschrift2') + p('It is free.');
    const titleOf = async (body: string) =>
      (await placesOf('docx', docx(body))).find(([title]) => /Licence$/.test(title ?? ''))?.[0];
    const chapters = chapter('Start') + chapter('Use');
    assert.equal(await titleOf(chapters + appendix), 'Licence');
    assert.equal(await titleOf(chapters + appendix + chapter('End')), 'Use › Licence');
  });

  it('has clauses that are headings without a text as the text of their chapter', async () => {
    const chapter = (name: string, ...clauses: string[]) =>
      p(name, 'berschrift1') + clauses.map((clause) => p(clause, 'berschrift2')).join('');
    const body =
      chapter('1 Passwords', '1.1 Passwords have 12 characters', '1.2 Nobody shares them') +
      chapter('2 Devices', '2.1 Disks are encrypted', '2.2 Screens lock', '2.3 Losses are told');
    assert.deepEqual(await placesOf('docx', docx(body)), [
      ['Passwords', 'passwords'],
      ['Devices', 'devices'],
    ]);
    const found = await textOf('docx', docx(body));
    for (const clause of ['12 characters', 'shares', 'encrypted', 'lock', 'told']) {
      assert.ok(found.includes(clause), `${clause} in ${found}`);
    }
  });

  it('leaves out a cover, and contents that were typed', async () => {
    const line = (text: string) => p(`<w:r><w:t>${text}</w:t><w:tab/><w:t>3</w:t></w:r>`);
    const body = `${p('The Company')}${p('May 2020')}${p('Contents')}${line('Start')}${line('Middle')}${line('End')}${p('Start', 'berschrift1')}${p('One.')}${p('Middle', 'berschrift1')}${line('Apples')}${line('Pears')}${line('Figs')}`;
    assert.equal(
      await textOf('docx', docx(body)),
      '### Start\n\nOne.\n\n### Middle\n\nApples 3\n\nPears 3\n\nFigs 3',
    );
  });

  it('leaves out the title of contents that are a field', async () => {
    const body = `${p('All of it.')}${p('Contents')}${p('Start', 'berschrift1')}${p('One.')}${p('Contents')}${p('Of a box.')}`;
    assert.equal(
      await textOf('docx', docx(body)),
      'All of it.\n\n### Start\n\nOne.\n\nContents\n\nOf a box.',
    );
  });

  it('has the title that it states if its text shows it', async () => {
    const core = (title: string) => ({
      'docProps/core.xml': `<cp:coreProperties><dc:title>${title}</dc:title></cp:coreProperties>`,
    });
    const body = `${p('Backup')}${p('Saves all files.')}${p('Start', 'berschrift1')}${p(`One. ${'More. '.repeat(80)}`)}${p('Let us begin with words')}${p('Let us begin with words. And go on.')}`;
    const above = `${p('All of it is saved by the program, and kept for a year or longer, as you wish it to be.')}${body}`;
    for (const [stated, title] of [
      ['Backup files', 'Backup files'],
      ['Template of a report', 'Backup'],
      ['Let us begin', 'Backup'],
    ] as const) {
      const [first] = await placesOf('docx', docx(`${p('Backup')}${above}`, core(stated)));
      assert.equal(first?.[0], title);
    }
  });

  it('has its title above all chapters if the file states it or the text names it', async () => {
    const chapters = (text: string) =>
      `${p('Overview', 'berschrift1')}${p(text)}${p('Use', 'berschrift1')}${p(`${text} again.`)}`;
    const core = { 'docProps/core.xml': '<c><dc:title>Router files</dc:title></c>' };
    for (const [body, title] of [
      [p('All files of it.') + chapters('A router.'), 'Router files › '],
      [chapters('Two.') + p('Router files', 'berschrift1') + p('Three.'), ''],
      [p('Router X') + p('Jane Roe') + chapters('Router X starts.'), 'Router X › '],
      [p('Jane Roe') + chapters('Router X starts.'), ''],
    ] as const) {
      const places = await placesOf('docx', docx(body, core));
      const overview = places.find((place) => place[1] === 'overview');
      assert.equal(overview?.[0], `${title}Overview`);
    }
  });

  it('has the title that it states if its text has none', async () => {
    const text = 'Let us begin with an example of how to use the program in a bank, step by step.';
    for (const [stated, title] of [
      ['First steps', 'First steps'],
      ['Template of a report', 'Name of file'],
      ['Let us begin with', 'Name of file'],
      ['Document1', 'Name of file'],
    ] as const) {
      const core = `<cp:coreProperties><dc:title>${stated}</dc:title></cp:coreProperties>`;
      const file = docx(p(text), { 'docProps/core.xml': core });
      const { sections } = await read('docx', file, { fileName: 'name-of-file.docx' });
      assert.equal(sections[0]?.title, title);
    }
  });

  it('has a title of the largest lines above its headings', async () => {
    const large = (text: string, size = 48) =>
      p(`<w:r><w:rPr><w:sz w:val="${size}"/></w:rPr><w:t>${text}</w:t></w:r>`);
    const chapters = `${p('Overview', 'berschrift1')}${p('One.')}${p('Use', 'berschrift1')}${p('Two.')}`;
    const sentence = p('Read this first.');
    const box = `<w:p><w:r><w:pict><w:txbxContent>${large('Router X')}</w:txbxContent></w:pict></w:r></w:p>`;
    for (const [cover, title] of [
      [`${large('Router X')}${p('May 2020')}`, 'Router X › '],
      [`${large('Router X')}${large('User Manual')}${p('May 2020')}`, 'Router X User Manual › '],
      [`${p('The Company')}${box}`, 'Router X › '],
      [`${large('May 2020')}${p('The Company')}`, ''],
      [`${large('Overview')}${p('The Company')}`, ''],
      [`${large('Router X', 22)}${p('The Company')}`, ''],
      [`${p('The Company')}${large('Router X')}${p('May 2020')}${large('Germany')}`, ''],
    ] as const) {
      assert.deepEqual(await placesOf('docx', docx(cover + chapters)), [
        [`${title}Overview`, 'overview'],
        [`${title}Use`, 'use'],
      ]);
    }
    const { sections } = await read('docx', docx(`${large('Router X')}${sentence}${chapters}`));
    assert.deepEqual(
      sections.map(({ title, content }) => [title, content]),
      [
        ['Router X', 'Read this first.'],
        ['Router X › Overview', '### Overview\n\nOne.'],
        ['Router X › Use', '### Use\n\nTwo.'],
      ],
    );
  });

  it('has a title of its first line if that stands out, or of a first heading above the others', async () => {
    const run = (text: string, look: string) =>
      `<w:r><w:rPr>${look}</w:rPr><w:t>${text}</w:t></w:r>`;
    const heading = (text: string, size: number) =>
      p(run(text, `<w:sz w:val="${size}"/>`), 'berschrift1');
    const chapters = `${heading('Overview', 32)}${p('One.')}${heading('Use', 32)}${p('Two.')}`;
    const told = p('Read all of this first.');
    for (const [above, ...titles] of [
      [p(run('Router X', '<w:b/>')) + told, 'Router X', 'Router X › Overview', 'Router X › Use'],
      [heading('Router X', 48) + told, 'Router X', 'Router X › Overview', 'Router X › Use'],
      [heading('Router X', 32) + told, 'Router X', 'Overview', 'Use'],
      [heading('Introduction', 48) + told, 'Introduction', 'Overview', 'Use'],
      [p('Router X') + told, 'Router X', 'Overview', 'Use'],
    ]) {
      const places = await placesOf('docx', docx((above ?? '') + chapters));
      assert.deepEqual(
        places.map(([title]) => title),
        titles,
      );
    }
  });

  it('has no headings of whole sentences and captions, no lines that repeat a heading, and no lines of signs', async () => {
    const sentence =
      'If several hands are solved, it is always better to group them into one call than into many.';
    const short = 'Devices at a serial port, with the identity of the line.';
    const body = `${p('Start', 'berschrift1')}${p('Start')}${p('One.')}${p('Picture 1. A port', 'berschrift1')}${p('* * * *')}${p(sentence, 'berschrift1')}${p('-----')}${p(short, 'berschrift1')}${p('Two.')}`;
    assert.equal(
      await textOf('docx', docx(body)),
      `### Start\n\nOne.\n\nPicture 1. A port\n\n${sentence}\n\n### ${short}\n\nTwo.`,
    );
  });

  it('joins the lines of a heading, with empty lines between them', async () => {
    const heading = (text: string) => p(text, 'berschrift1');
    for (const [first, second] of [
      ['Predicting Gene Ontology', '(GO) terms of proteins'],
      ['Guide for', 'Beginners'],
    ] as const) {
      const body = `${heading(first)}${p('')}${heading(second)}${p('One.')}`;
      const [place] = await placesOf('docx', docx(body));
      assert.equal(place?.[0], `${first} ${second}`);
    }
  });

  it('has a title of the heading that has only its author below', async () => {
    const body = `${p('The Router', 'berschrift1')}${p('By Ann Miller')}${p('May 2020')}${p('Use', 'berschrift1')}${p('One.')}`;
    assert.deepEqual(await placesOf('docx', docx(body)), [['The Router › Use', 'use']]);
    for (const [below, place] of [
      ['A. Miller and J. Roe.', 'Routers › Introduction'],
      ['It is all about routers (A. Miller)', 'Routers'],
    ] as const) {
      const chapters = `${p('1. Introduction', 'berschrift1')}${p('One.')}${p('2. Use', 'berschrift1')}${p('Two.')}`;
      const [first] = await placesOf(
        'docx',
        docx(p('Routers', 'berschrift1') + p(below) + chapters),
      );
      assert.equal(first?.[0], place);
    }
  });

  it('has no versions, dates and names between its title and its text', async () => {
    const chapters = `${p('Start', 'berschrift2')}${p('One.')}${p('Version 2', 'berschrift2')}${p('First version')}${p('End', 'berschrift2')}${p('Two.')}`;
    const title = p('Router X', 'berschrift1');
    const imprint = `${p('Version 1.0')}${p('Last updated: 12/10/2001')}`;
    const history = `${p('History', 'berschrift1')}${p('Version 1.0')}${p('Use', 'berschrift1')}${p('One.')}`;
    assert.match(await textOf('docx', docx(history)), /^### History\n\nVersion 1\.0\n/);
    for (const cover of [title + imprint, `${title}${p('Jane Roe', 'berschrift2')}${imprint}`]) {
      assert.deepEqual(await placesOf('docx', docx(cover + chapters)), [
        ['Router X › Start', 'start'],
        ['Router X › Version 2', 'version-2'],
        ['Router X › End', 'end'],
      ]);
    }
  });

  it('names the product of a guide by the name of the file', async () => {
    const body = `${p('User Guide', 'Titel')}${p('Start', 'berschrift1')}${p('One.')}`;
    for (const [fileName, title] of [
      ['ACME_RouterX_UserGuide-3.docx', 'RouterX User Guide › Start'],
      ['manuals/router-user-guide.docx', 'router User Guide › Start'],
      ['the-user-guide.docx', 'User Guide › Start'],
      ['RouterX.docx', 'User Guide › Start'],
    ] as const) {
      const { sections } = await read('docx', docx(body), { fileName });
      assert.equal(sections[0]?.title, title);
    }
  });

  it('has no headings of names with values, announcements, items and lines that go on', async () => {
    const large = (text: string) =>
      p(`<w:r><w:rPr><w:sz w:val="32"/></w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`);
    const tab = '</w:t><w:tab/><w:t>';
    const text = p('A text of some length, in type of the usual size, as most of them are.');
    for (const lines of [
      `${p('email: jane')}${large('phone: 123 456')}`,
      large(`DEBUG_LEVEL${tab}OFF`),
      large('where the constant is given by:'),
      large('The matrices that most programs use are kept in'),
      `${large('The first line of a sentence that was broken by hand')}${p('goes on here.')}`,
    ]) {
      const body = `${large('Start')}${text}${lines}${text}${large('End')}${text}${text}`;
      const titles = (await placesOf('docx', docx(body))).map(([title]) => title);
      assert.deepEqual(titles, ['Start', 'End']);
    }
    const chapters = `${large(`1${tab}Start`)}${text}${large('Questions: which ones?')}${text}${text}`;
    assert.deepEqual(await placesOf('docx', docx(chapters)), [
      ['1 Start', 'start'],
      ['Questions: which ones?', 'questions-which-ones'],
    ]);
  });

  it('has no headings of the names of text boxes', async () => {
    const large = (text: string) =>
      p(`<w:r><w:rPr><w:sz w:val="32"/></w:rPr><w:t>${text}</w:t></w:r>`);
    const text = p('A text of some length, in type of the usual size, as most of them are.');
    const box = `<w:p><w:r><w:pict><w:txbxContent>${large('A hint')}${text}</w:txbxContent></w:pict></w:r></w:p>`;
    const body = `${large('Start')}${text}${box}${text}${large('End')}${text}${text}`;
    assert.deepEqual(await placesOf('docx', docx(body)), [
      ['Start', 'start'],
      ['End', 'end'],
    ]);
  });

  it('has no headings of the fields that all its parts have', async () => {
    const bold = (text: string) => p(`<w:r><w:rPr><w:b/></w:rPr><w:t>${text}</w:t></w:r>`);
    const names = ['One', 'Two', 'Six', 'Ten', 'Red'];
    const body = names.map(
      (name) => `${bold(name)}${p('A text.')}${bold(`Creators: of ${name}`)}${p('More text.')}`,
    );
    const titles = (await placesOf('docx', docx(body.join('')))).map(([title]) => title);
    assert.deepEqual(titles, names);
  });

  it('has no headings of lines that state the size of all words', async () => {
    const text = 'A text of some length, in type of the usual size, as most of them are.';
    const style = (name: string, size: string) =>
      `<style:style style:name="${name}" style:family="paragraph"><style:text-properties fo:font-size="${size}"/></style:style>`;
    const usual = `<style:default-style style:family="paragraph"><style:text-properties fo:font-size="12pt"/></style:default-style>`;
    const line = (words: string, name: string) =>
      `<text:p text:style-name="${name}">${words}</text:p>`;
    const rows = ['Start', 'A line', 'End'].map(
      (words) => line(words, words === 'A line' ? 'Own' : 'Big') + `<text:p>${text}</text:p>`,
    );
    const styles = usual + style('Own', '12pt') + style('Big', '150%');
    const titles = (await placesOf('odt', odt(rows.join(''), styles))).map(([title]) => title);
    assert.deepEqual(titles, ['Start', 'End']);
    const sized = (words: string, size: number) =>
      p(`<w:r><w:rPr><w:sz w:val="${size}"/></w:rPr><w:t>${words}</w:t></w:r>`);
    const body = `${sized('Start', 32)}${p(text)}${sized('A line', 22)}${p(text)}${sized('End', 32)}${p(text)}`;
    const parts = {
      'word/styles.xml':
        '<w:styles><w:docDefaults><w:rPrDefault><w:rPr><w:sz w:val="22"/></w:rPr></w:rPrDefault></w:docDefaults></w:styles>',
    };
    const places = await placesOf('docx', docx(body, parts));
    assert.deepEqual(
      places.map(([title]) => title),
      ['Start', 'End'],
    );
  });

  it('has headings only of looks that most lines of their kind have as headings', async () => {
    const look = (text: string, properties: string) =>
      p(`<w:r><w:rPr>${properties}</w:rPr><w:t>${text}</w:t></w:r>`);
    const bold = (text: string) => look(text, '<w:b/>');
    const large = (text: string) => look(text, '<w:sz w:val="32"/>');
    const text = p('A text of some length, in type of the usual size, as most of them are.');
    const chapters = `${large('Start')}${text}${large('End')}${text}`;
    for (const lines of [
      // Of bold sentences, and lines in a row.
      `${bold('A warning')}${text}${bold('All of this is read before use.')}${text}${bold('Call us if it fails.')}${text}`,
      `${bold('Ann')}${bold('Bob')}${text}`,
      // The only line of its kind, larger or above a list.
      `${look('maintained in Spain', '<w:sz w:val="28"/>')}${text}`,
      `${bold('Legal note:')}${text}`,
      `${bold('Alt+I: information')}${p('Alt+R: a right')}${text}`,
    ]) {
      const titles = (await placesOf('docx', docx(chapters + lines + text))).map(
        ([title]) => title,
      );
      assert.deepEqual(titles, ['Start', 'End']);
    }
    const titles = (await placesOf('docx', docx(`${chapters}${bold('Part')}${text}`))).map(
      ([title]) => title,
    );
    assert.deepEqual(titles, ['Start', 'End', 'End › Part']);
  });

  it('has all versions of a text about them', async () => {
    const bold = (text: string) => p(`<w:r><w:rPr><w:b/></w:rPr><w:t>${text}</w:t></w:r>`);
    const text = p('A text of some length, in type of the usual size, as most of them are.');
    const notes = `${p('Version 2.1')}${p('Released: 1 May 2020')}`;
    const styled = (title: string) =>
      `${p(title, 'Titel')}${notes}${p('New', 'berschrift1')}${text}`;
    assert.match(await textOf('docx', docx(styled('Release Notes'))), /^Version 2\.1\n\nReleased/);
    assert.match(await textOf('docx', docx(styled('Router X'))), /^### New\n/);
    const short = `${p('Version 2.1', 'berschrift1')}${p('First release')}${p('Version 2.2', 'berschrift1')}${text}`;
    const look = `${bold('Version 2.1')}${text}${text}${bold('Version 2.2')}${text}`;
    for (const body of [short, look]) {
      const titles = (await placesOf('docx', docx(body))).map(([title]) => title);
      assert.deepEqual(titles, ['Version 2.1', 'Version 2.2']);
    }
    const one = await placesOf(
      'docx',
      docx(
        `${bold('Start')}${text}${look.slice(0, look.lastIndexOf(bold('Version 2.2')))}${bold('End')}${text}`,
      ),
    );
    assert.deepEqual(
      one.map(([title]) => title),
      ['Start', 'End'],
    );
  });
});
