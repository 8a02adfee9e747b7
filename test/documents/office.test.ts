import assert from 'node:assert/strict';
import { docx, odt, p, read, textOf } from './read.js';

describe('A Word file', () => {
  it('has the text of tables that are nested too deeply to be tables', async () => {
    const depth = 400;
    const cell = ['<w:tbl><w:tr><w:tc>', '</w:tc></w:tr></w:tbl>'] as const;
    const word = cell[0].repeat(depth) + p('Deep down.') + cell[1].repeat(depth);
    assert.equal(await textOf('docx', docx(word)), 'Deep down.');
    const open = '<table:table><table:table-row><table:table-cell>'.repeat(depth);
    assert.equal(await textOf('odt', odt(`${open}<text:p>Deep down.</text:p>`)), 'Deep down.');
  });

  it('has no code where its sentences are in monospaced type, too', async () => {
    const mono = (text: string) =>
      p(`<w:r><w:rPr><w:rFonts w:ascii="Courier New"/></w:rPr><w:t>${text}</w:t></w:r>`);
    const long =
      'Guide the ball through the labyrinth before the time is over, and take all prizes.';
    const all = `${p('Game', 'berschrift1')}${mono(long)}${mono('Windows and Linux')}`;
    assert.equal(await textOf('docx', docx(all)), `### Game\n\n${long}\n\nWindows and Linux`);
    const short = 'He plays with it all day.';
    assert.equal(await textOf('docx', docx(mono(short).repeat(2))), `${short}\n\n${short}`);
    const row = (...cells: string[]) =>
      `<w:tr>${cells.map((cell) => `<w:tc>${mono(cell)}</w:tc>`).join('')}</w:tr>`;
    const cell = 'Plays in a window (if there is one)';
    const table = `<w:tbl>${row('Option', 'Effect')}${row('-w', cell)}</w:tbl>`;
    assert.match(await textOf('docx', docx(all + table)), /\n- `-w`: Plays .* one\)$/);
    const listing = `${p(long)}${mono('cd game')}${mono('make')}`;
    assert.equal(await textOf('docx', docx(listing)), `${long}\n\n\`\`\`\ncd game\nmake\n\`\`\``);
    const notice = 'The game is free, and you may give it to others. It has no warranty at all. ';
    const below =
      p('The text of the game. '.repeat(30)) + mono(notice.repeat(3)) + mono('Jane Roe');
    assert.equal((await textOf('docx', docx(below))).includes('```'), false);
  });

  it('has the signs of symbol fonts, and formulas', async () => {
    const font = (name: string, text: string) =>
      `<w:r><w:rPr><w:rFonts w:ascii="${name}"/></w:rPr><w:t>${text}</w:t></w:r>`;
    const math = (name: string, inner: string) => `<m:${name}>${inner}</m:${name}>`;
    const t = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`;
    const root = math('rad', math('radPr', '<m:degHide/>') + math('e', t('x+1')));
    const formula = `<m:oMath>${t('y=')}${math('f', math('num', root) + math('den', t('2')))}${t('+')}${math('sSup', math('e', t('z')) + math('sup', t('2')))}</m:oMath>`;
    const object = `<w:r><w:object><o:OLEObject ProgID="Equation.DSMT4"/></w:object></w:r>`;
    const sign = '<w:r><w:sym w:font="Wingdings" w:char="F0E0"/></w:r>';
    const body = `<w:p>${font('Symbol', '\uf061')}${font('Symbol', 'b')}${sign}${formula}${object}</w:p>`;
    assert.equal(await textOf('docx', docx(body)), 'αβ→y=(√(x+1))/2+z^2 [formula]');
  });

  it('has tables whose cells have headings and code, parted by rows of one cell', async () => {
    const cell = (text: string, span = 1, style?: string) =>
      `<w:tc><w:tcPr><w:gridSpan w:val="${span}"/></w:tcPr>${p(text, style)}</w:tc>`;
    const row = (...cells: string[]) => `<w:tr>${cells.join('')}</w:tr>`;
    const head = `<w:tr><w:trPr><w:tblHeader/></w:trPr>${cell('Step')}${cell('Do')}${cell('See')}</w:tr>`;
    const code = '<w:r><w:rPr><w:rFonts w:ascii="Courier New"/></w:rPr><w:t>ls -l</w:t></w:r>';
    const body = `${p('Tests', 'berschrift1')}<w:tbl>${row(cell('All tests', 3))}${head}${row(cell('First', 3))}${row(cell('1'), cell('Open', 1, 'berschrift2'), cell('It opens'))}${row(cell('Second', 3))}${row(cell('2'), cell(code), cell('A list'))}</w:tbl>`;
    assert.equal(
      await textOf('docx', docx(body)),
      '### Tests\n\nAll tests\n\nFirst\n\n| Step | Do | See |\n| --- | --- | --- |\n| 1 | Open | It opens |\n\nSecond\n\n| Step | Do | See |\n| --- | --- | --- |\n| 2 | `ls -l` | A list |',
    );
  });

  it('has the contents of a table that only places them on the page', async () => {
    const cell = (...texts: string[]) => `<w:tc>${texts.map((text) => p(text)).join('')}</w:tc>`;
    const table = (...rows: string[]) =>
      `<w:tbl>${rows.map((row) => `<w:tr>${row}</w:tr>`).join('')}</w:tbl>`;
    const body = table(cell('Par', 'Solves.') + cell('SidesPar', 'Solves both.'));
    assert.equal(await textOf('docx', docx(body)), 'Par\n\nSolves.\n\nSidesPar\n\nSolves both.');
  });

  it('has a form without its empty fields as a list', async () => {
    const row = (name: string) => `<w:tr><w:tc>${p(name)}</w:tc><w:tc>${p('')}</w:tc></w:tr>`;
    const body = `<w:tbl>${row('Company:')}${row('Date:')}</w:tbl>`;
    assert.equal(await textOf('docx', docx(body)), '- Company:\n- Date:');
  });

  it('parts the lines of a cell, but not those of a sentence', async () => {
    const cell = (...texts: string[]) => `<w:tc>${texts.map((text) => p(text)).join('')}</w:tc>`;
    const row = (...cells: string[]) => `<w:tr>${cells.join('')}</w:tr>`;
    const body = `<w:tbl>${row(cell('Name'), cell('Takes'), cell('Does'))}${row(cell('Fill'), cell('LPWSTR name: the buffer that is to be filled, or null', 'ULONG size: its size.', 'DWORD* needed'), cell('Enter', '460', 'and press OK.'))}</w:tbl>`;
    assert.equal(
      await textOf('docx', docx(body)),
      '| Name | Takes | Does |\n| --- | --- | --- |\n| Fill | LPWSTR name: the buffer that is to be filled, or null; ULONG size: its size. DWORD* needed | Enter; 460 and press OK. |',
    );
  });

  it('adds no sign to code in a cell', async () => {
    const cell = (...texts: string[]) => `<w:tc>${texts.map((text) => p(text)).join('')}</w:tc>`;
    const row = (...cells: string[]) => `<w:tr>${cells.join('')}</w:tr>`;
    const code = ['struct Point', '{', 'long x;', 'Name first', '};'];
    const body = `<w:tbl>${row(cell('Type'), cell('IDL'), cell('C'))}${row(cell('Point'), cell(...code), cell('enum Kind {', 'RED }'))}</w:tbl>`;
    assert.equal(
      await textOf('docx', docx(body)),
      '| Type | IDL | C |\n| --- | --- | --- |\n| Point | struct Point { long x; Name first }; | enum Kind { RED } |',
    );
  });

  it('has listings without the indent that all their lines share', async () => {
    const code = (text: string) =>
      p(`<w:r><w:rPr><w:rFonts w:ascii="Courier"/></w:rPr><w:t>${text}</w:t></w:r>`);
    const body = `${p('Type:')}${code('    if x;')}${p('')}${code('      y;')}`;
    assert.equal(await textOf('docx', docx(body)), 'Type:\n\n```\nif x;\n\n  y;\n```');
  });

  it('joins the lines of a sentence that was typed as one paragraph for each line', async () => {
    const lines = (...all: string[]) => textOf('docx', docx(all.map((line) => p(line)).join('')));
    const [first, second, third] = [
      'All units can be started at the',
      'Start of a piece, and paused for some',
      'time when they are not in use.',
    ] as const;
    assert.equal(await lines(first, second, third), `${first}\n\n${second} ${third}`);
    const longer = `${first} very`;
    assert.equal(await lines(longer, third), `${longer} ${third}`);
    const list = ['alpha a sign at the start of it all', 'beta another sign', 'gamma the last one'];
    assert.equal(await lines(...list), list.join('\n\n'));
  });

  it('keeps the lines of names', async () => {
    const lines = (...texts: string[]) =>
      p(`<w:r>${texts.map((text) => `<w:t>${text}</w:t>`).join('<w:br/>')}</w:r>`);
    const body = `${lines('Jane Roe', 'Basel')}${lines('This goes on', 'in one sentence')}`;
    assert.equal(
      await textOf('docx', docx(body)),
      'Jane Roe\n\nBasel\n\nThis goes on in one sentence',
    );
  });

  it('keeps the lines of an item', async () => {
    const lines = (...texts: string[]) =>
      `<w:r>${texts.map((text) => `<w:t>${text}</w:t>`).join('<w:br/>')}</w:r>`;
    const list = '<w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr>';
    const item = (...texts: string[]) => p(list + lines(...texts));
    const body = item('Save it.', 'It is kept.') + item('This goes on', 'in one sentence');
    assert.equal(
      await textOf('docx', docx(body)),
      '- Save it.\n\n  It is kept.\n- This goes on in one sentence',
    );
  });

  it('counts its lists and headings as Word does', async () => {
    const item = (text: string, level: number, list = 1) =>
      p(
        `<w:pPr><w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${list}"/></w:numPr></w:pPr><w:r><w:t>${text}</w:t></w:r>`,
      );
    const level = (at: number, format: string, text: string) =>
      `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`;
    const numbering = `<w:numbering><w:abstractNum w:abstractNumId="0">${level(0, 'decimal', '%1.')}${level(1, 'lowerLetter', '%2)')}${level(2, 'bullet', '·')}</w:abstractNum>
      <w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num></w:numbering>`;
    const body = [
      item('one', 0),
      item('a', 1),
      item('b', 1),
      item('dot', 2),
      item('two', 0),
      item('a again', 1),
      p('Between.'),
      item('new', 0, 2),
      // LibreOffice gives the rest of a list that begins anew the number of the first list.
      item('newer', 0),
    ].join('');
    assert.equal(
      await textOf('docx', docx(body, { 'word/numbering.xml': numbering })),
      '1. one\n  a) a\n  b) b\n    - dot\n2. two\n  a) a again\n\nBetween.\n\n1. new\n2. newer',
    );
  });

  it('numbers headings whose style states a level of the list of the style above', async () => {
    const style = (level: number, base: string, list: string) =>
      `<w:style w:type="paragraph" w:styleId="Heading${level}"><w:name w:val="heading ${level}"/>${base}<w:pPr><w:numPr>${list}</w:numPr></w:pPr></w:style>`;
    const styles = `<w:styles>${style(1, '', '<w:numId w:val="2"/>')}${style(2, '<w:basedOn w:val="Heading1"/>', '<w:ilvl w:val="1"/>')}</w:styles>`;
    const numbering = `<w:numbering><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:lvlText w:val="%1"/></w:lvl><w:lvl w:ilvl="1"><w:lvlText w:val="%1.%2"/></w:lvl></w:abstractNum>
      <w:num w:numId="2"><w:abstractNumId w:val="0"/></w:num></w:numbering>`;
    const text = p('It is opened by hand. '.repeat(30));
    const body = `${p('Care', 'Heading1')}${text}${p('Repair', 'Heading1')}${text}${p('Doors', 'Heading2')}${text}`;
    const { sections } = await read(
      'docx',
      docx(body, { 'word/numbering.xml': numbering, 'word/styles.xml': styles }),
    );
    assert.deepEqual(
      sections.map(({ content, title }) => [title, content.split('\n')[0]]),
      [
        ['Care', '### 1 Care'],
        ['Repair', '### 2 Repair'],
        ['Repair › Doors', '### 2.1 Doors'],
      ],
    );
  });

  it('has the text that is shown when all changes are accepted, without comments and fields', async () => {
    const body = `<w:p><w:r><w:t>Keep </w:t></w:r><w:ins><w:r><w:t>added</w:t></w:r></w:ins><w:del><w:r><w:delText> gone</w:delText></w:r></w:del>
      <w:moveFrom><w:r><w:t> moved</w:t></w:r></w:moveFrom><w:commentRangeStart w:id="0"/><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> PAGEREF x </w:instrText></w:r>
      <w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t> 7</w:t></w:r></w:p>${p('Start 1', 'Verzeichnis1')}`;
    const comments = `<w:comments><w:comment>${p('A remark.')}</w:comment></w:comments>`;
    assert.equal(
      await textOf('docx', docx(body, { 'word/comments.xml': comments })),
      'Keep added 7',
    );
  });

  it('has tables with merged cells, text boxes, footnotes and links', async () => {
    const cell = (text: string, properties = '') =>
      `<w:tc><w:tcPr>${properties}</w:tcPr>${p(text)}</w:tc>`;
    const table = `<w:tbl><w:tr><w:trPr><w:tblHeader/></w:trPr>${cell('Kind')}${cell('Size')}${cell('Note')}</w:tr>
      <w:tr>${cell('A', '<w:vMerge w:val="restart"/>')}${cell('1')}${cell('x')}</w:tr><w:tr>${cell('', '<w:vMerge/>')}${cell('both', '<w:gridSpan w:val="2"/>')}</w:tr></w:tbl>`;
    const box = `<w:p><w:r><mc:AlternateContent><mc:Choice><w:drawing><wps:txbx><w:txbxContent>${p('In a box.')}</w:txbxContent></wps:txbx></w:drawing></mc:Choice>
      <mc:Fallback><w:pict><w:txbxContent>${p('In a box.')}</w:txbxContent></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>`;
    const text = `<w:p><w:r><w:t>See</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r><w:hyperlink r:id="rId1"><w:r><w:t> this</w:t></w:r></w:hyperlink></w:p>`;
    const footnotes = `<w:footnotes><w:footnote w:type="separator" w:id="0">${p('—')}</w:footnote><w:footnote w:id="2">${p('A note.')}</w:footnote></w:footnotes>`;
    const links = `<Relationships><Relationship Id="rId1" Type="x/hyperlink" Target="https://a.example/" TargetMode="External"/></Relationships>`;
    assert.equal(
      await textOf(
        'docx',
        docx(text + table + box, {
          'word/footnotes.xml': footnotes,
          'word/_rels/document.xml.rels': links,
        }),
      ),
      'See[^1] [this](https://a.example/)\n\n| Kind | Size | Note |\n| --- | --- | --- |\n| A | 1 | x |\n| A | both |  |\n\nIn a box.\n\n[^1]: A note.',
    );
  });

  it('has raised numbers as powers', async () => {
    const raised = (text: string) =>
      `<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:t>${text}</w:t></w:r>`;
    const run = (text: string) => `<w:r><w:t>${text}</w:t></w:r>`;
    const body = `<w:p>${run('10')}${raised('-3')}${run(' km')}${raised('3')}${run(' s')}${raised('-2')}${run(' the 4')}${raised('th')}</w:p>`;
    assert.equal(await textOf('docx', docx(body)), '10^-3 km³ s⁻² the 4th');
  });

  it('has neighbouring raised runs as one, and those that are raised by their place in smaller type', async () => {
    const run = (text: string, properties = '') =>
      `<w:r><w:rPr>${properties}</w:rPr><w:t>${text}</w:t></w:r>`;
    const raised = (text: string) => run(text, '<w:vertAlign w:val="superscript"/>');
    const placed = (text: string, size: number) =>
      run(text, `<w:position w:val="8"/><w:sz w:val="${size}"/>`);
    const power = `${run('10')}${raised('-0')}${raised('.2')}${raised('5')}`;
    const small = `${run(', L')}${placed('2', 16)}${raised(' ')}${run('and 3')}${placed('2', 20)}`;
    assert.equal(await textOf('docx', docx(`<w:p>${power}${small}</w:p>`)), '10^-0.25, L² and 32');
    const styles =
      '<style:style style:name="T1" style:family="text"><style:text-properties style:text-position="super 58%"/></style:style>';
    const span = (text: string) => `<text:span text:style-name="T1">${text}</text:span>`;
    const body = `<text:p>T2${span('-')}${span('0.25')}</text:p>`;
    assert.equal(await textOf('odt', odt(body, styles)), 'T2^-0.25');
  });

  it('has notes without the marks that their authors typed', async () => {
    const text = `<w:p><w:r><w:t>See</w:t></w:r><w:r><w:endnoteReference w:customMarkFollows="1" w:id="2"/><w:t>a</w:t></w:r></w:p>`;
    const raised = '<w:rPr><w:rStyle w:val="EndnoteCharacters"/></w:rPr>';
    const note = p(`<w:r>${raised}<w:t>a</w:t></w:r><w:r><w:t>A note.</w:t></w:r>`);
    const endnotes = `<w:endnotes><w:endnote w:id="2">${note}</w:endnote></w:endnotes>`;
    assert.equal(
      await textOf('docx', docx(text, { 'word/endnotes.xml': endnotes })),
      'See[^1]\n\n[^1]: A note.',
    );
  });

  it('names macros, and reports hidden text', async () => {
    const hidden = p(
      '<w:r><w:t>Seen.</w:t></w:r><w:r><w:rPr><w:vanish/></w:rPr><w:t>Unseen.</w:t></w:r><w:r><w:rPr><w:color w:val="FFFFFF"/></w:rPr><w:t>White.</w:t></w:r>',
    );
    const found = await read(
      'docx',
      docx(hidden, { 'word/vbaProject.bin': Uint8Array.of(1, 2, 3) }),
    );
    assert.equal(found.sections[0]?.content, 'Seen.');
    assert.deepEqual(
      found.hidden.map(({ reason, text }) => [reason, text]),
      [
        ['macro', 'word/vbaProject.bin'],
        ['invisible', 'Unseen.'],
        ['colour', 'White.'],
      ],
    );
  });
});

describe('A text of OpenDocument', () => {
  it('has its headings, lists, tables and notes, without contents and deleted text', async () => {
    const styles = `<text:list-style style:name="L1"><text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/><text:list-level-style-bullet text:level="2"/></text:list-style>`;
    const body = `<text:tracked-changes><text:changed-region><text:deletion><text:p>gone</text:p></text:deletion></text:changed-region></text:tracked-changes>
      <text:table-of-content><text:index-body><text:p>Start 1</text:p></text:index-body></text:table-of-content>
      <text:h text:outline-level="1">Start</text:h><text:p>One<text:note text:id="n"><text:note-citation>1</text:note-citation><text:note-body><text:p>A note.</text:p></text:note-body></text:note><text:s text:c="2"/>two<office:annotation><text:p>remark</text:p></office:annotation>.</text:p>
      <text:list text:style-name="L1"><text:list-item><text:p>first</text:p><text:list><text:list-item><text:p>inner</text:p></text:list-item></text:list></text:list-item><text:list-item><text:p>second</text:p></text:list-item></text:list><text:p>Text.</text:p><text:list text:style-name="L1" text:continue-numbering="true"><text:list-item><text:p>third</text:p></text:list-item></text:list>
      <table:table><table:table-header-rows><table:table-row><table:table-cell><text:p>A</text:p></table:table-cell><table:table-cell><text:p>B</text:p></table:table-cell><table:table-cell><text:p>C</text:p></table:table-cell></table:table-row></table:table-header-rows>
      <table:table-row><table:table-cell table:number-columns-spanned="2"><text:p>x</text:p></table:table-cell><table:covered-table-cell/><table:table-cell><text:p>y</text:p></table:table-cell></table:table-row></table:table>`;
    assert.equal(
      await textOf('odt', odt(body, styles)),
      '### Start\n\nOne[^1] two.\n\n1. first\n  - inner\n2. second\n\nText.\n\n3. third\n\n| A | B | C |\n| --- | --- | --- |\n| x |  | y |\n\n[^1]: A note.',
    );
  });

  it('has code in the type of its text, one paragraph for each line', async () => {
    const lines = (...rows: string[]) =>
      rows.map((row) => `<text:p>${row.replace('  ', '<text:s text:c="2"/>')}</text:p>`).join('');
    const fence = (...rows: string[]) => ['```', ...rows, '```'].join('\n');
    const pascal = [
      'procedure First(Sender: TObject;',
      'var Row: Integer',
      ');',
      'begin',
      '  Row := 1;',
      'end;',
    ];
    const c = ['int main()', '{', '  if (ready) {', '  run();', '  }', '}'];
    for (const code of [pascal, c]) {
      const body = `${lines('Write this:', ...code)}${lines('It sets the row.')}`;
      assert.equal(
        await textOf('odt', odt(body)),
        `Write this:\n\n${fence(...code)}\n\nIt sets the row.`,
      );
    }
    const prose = ['We begin', 'with the first part;', 'and end', 'begin', 'with the last part;'];
    assert.equal((await textOf('odt', odt(lines(...prose)))).includes('```'), false);
  });

  it('has code in all coloured boxes and paragraphs of a style that mostly hold code', async () => {
    const styles =
      '<style:style style:name="Box" style:family="paragraph"><style:paragraph-properties fo:background-color="#ccccff"/></style:style>';
    const code = ['log = file', 'init = file', '$ show all', 'lines 12 shown'];
    const fenced = code.map((row) => `So:\n\n\`\`\`\n${row}\n\`\`\``).join('\n\n');
    const hints = ['Save your work.', 'Read this first.', 'Ask others.', 'a = b'];
    for (const name of ['Box', 'Example']) {
      const box = (text: string) => `<text:p text:style-name="${name}">${text}</text:p>`;
      const text = (...boxes: string[]) =>
        textOf(
          'odt',
          odt(boxes.map((each) => `<text:p>So:</text:p>${box(each)}`).join(''), styles),
        );
      assert.equal(await text(...code), fenced);
      assert.equal((await text(...hints)).includes('```\nSave'), false);
    }
  });

  it('has commands in the type of its text', async () => {
    const lines = [
      'Unpack it:',
      'tar -xf all.tar',
      'tar -xf more.tar',
      'Then type',
      '> cd all',
      'and read these:',
      'the files in it',
      '> Not this one.',
    ];
    const body = lines.map((line) => `<text:p>${line.replace('>', '&gt;')}</text:p>`).join('');
    assert.equal(
      await textOf('odt', odt(body)),
      'Unpack it:\n\n```\ntar -xf all.tar\ntar -xf more.tar\n```\n\nThen type\n\n```\n> cd all\n```\n\nand read these:\n\nthe files in it\n\n\\> Not this one.',
    );
  });

  it('has no lists of levels that no item has, and no heading of several sentences', async () => {
    const within = (list: string) =>
      `<text:list><text:list-item>${list}</text:list-item></text:list>`;
    const deep = within(within(within('<text:p>deep</text:p>')));
    const long = `${'A sentence that has the style of a heading by mistake. '.repeat(6)}End.`;
    const body = `<text:h text:outline-level="1">Start</text:h>${within(`<text:p>first</text:p>${deep}${within('<text:p>inner</text:p>')}`)}
      <text:h text:outline-level="5">${long}</text:h>`;
    assert.equal(
      await textOf('odt', odt(body)),
      `### Start\n\n- first\n  - deep\n  - inner\n\n${long}`,
    );
  });

  it('has formulas of objects, and no labels of drawings', async () => {
    const math = `<math:math><math:semantics><math:mrow><math:msub><math:mi>C</math:mi><math:mi>ij</math:mi></math:msub><math:mo>=</math:mo><math:mfrac><math:mn>1</math:mn><math:mi>x</math:mi></math:mfrac></math:mrow><math:annotation>C rSub ij</math:annotation></math:semantics></math:math>`;
    const object = `<draw:frame><draw:object xlink:href="./Object 1"/></draw:frame>`;
    const label = (text: string, shape = 'custom-shape') =>
      `<draw:${shape}><text:p>${text}</text:p></draw:${shape}>`;
    const body = `<text:p>With ${object}.</text:p><text:p><draw:g>${label('Sender')}${label('Receiver')}</draw:g></text:p><text:p>${label('Score', 'caption')}${label('Ball', 'line')}</text:p>`;
    assert.equal(
      await textOf('odt', odt(body, '', { 'Object 1/content.xml': math })),
      'With C_ij = 1/x.',
    );
  });

  it('has frames with a sentence or a caption, and no labels in frames of a drawing', async () => {
    const frame = (text: string) =>
      `<text:p><draw:frame><draw:text-box><text:p>${text}</text:p></draw:text-box></draw:frame></text:p>`;
    const body = `<text:p>Flow:</text:p>${frame('actions')}${frame('Receiving thread')}${frame('Illustration 1: Flow of data')}${frame('A note that stands beside it.')}`;
    assert.equal(
      await textOf('odt', odt(body)),
      'Flow:\n\nIllustration 1: Flow of data\n\nA note that stands beside it.',
    );
  });

  it('reports hidden text, and names macros', async () => {
    const styles = `<style:style style:name="T1" style:family="text"><style:text-properties text:display="none"/></style:style>`;
    const body = `<text:p>Seen.<text:span text:style-name="T1">Unseen.</text:span></text:p>`;
    const found = await read('odt', odt(body, styles, { 'Basic/Standard/Module1.xml': '<m/>' }));
    assert.equal(found.sections[0]?.content, 'Seen.');
    assert.deepEqual(
      found.hidden.map(({ reason, text }) => [reason, text]),
      [
        ['macro', 'Basic/Standard/Module1.xml'],
        ['invisible', 'Unseen.'],
      ],
    );
  });
});
