import assert from 'node:assert/strict';
import { placesOf, read, textOf } from './read.js';

describe('A Markdown file', () => {
  it('is cut at its headings, with the headings above in each title and the ids that GitHub makes', async () => {
    const text =
      '# Router\n\nAll of it.\n\n## Reset\n\nHold.\n\n## Reset\n\nAgain.\n\n### Über Nacht!\n\nWait.';
    assert.deepEqual(await placesOf('markdown', text), [
      ['Router', 'router'],
      ['Router › Reset', 'reset'],
      ['Router › Reset (2)', 'reset-1'],
      ['Router › Reset › Über Nacht!', 'über-nacht'],
    ]);
  });

  it('takes ids that are written behind a heading, and forgets numbers in ids', async () => {
    assert.deepEqual(await placesOf('markdown', '## 1. One {#first}\n\na\n\n## 2. Two\n\nb'), [
      ['One', 'first'],
      ['Two', 'two'],
    ]);
  });

  it('has the name in its titles that its head, its logo or its first heading of any level says', async () => {
    const chapters = '## Oil\n\nOil the Pump.\n\n## Lid\n\nThe Pump has a lid.';
    const titlesOf = async (text: string) =>
      (await placesOf('markdown', text)).map(([title]) => title);
    const named = ['Pump', 'Pump › Oil', 'Pump › Lid'];
    const logo =
      '<p align=center><img alt="Pump logo" src=p.svg></p>\n\nPump pumps water for you.\n\n';
    assert.deepEqual(await titlesOf(logo + chapters), named);
    assert.deepEqual(
      await titlesOf(`---\ntitle: Pump\n---\nIt pumps water.\n\n${chapters}`),
      named,
    );
    assert.deepEqual(await titlesOf(`### Pump\n\nPump pumps water.\n\n${chapters}`), named);
    const other = logo.replace('Pump logo', 'Visitors');
    assert.deepEqual(await titlesOf(other + chapters), ['Oil', 'Lid']);
  });

  it('has no list of its own headings, no badges, and the words of its name without a heading', async () => {
    const text =
      '# Pump\n\n[![build](https://img.shields.io/a.png)](https://example.org)\n\n- [Oil](#oil)\n  - [Lid](#lid)\n- Water\n- [All documents](index.md)\n\nIt pumps.\n\n## Oil\n\na\n\n### Lid\n\nb\n\n## Water\n\nc';
    assert.equal(
      await textOf('markdown', text),
      '### Pump\n\nIt pumps.\n\n### Oil\n\na\n\n### Lid\n\nb\n\n### Water\n\nc',
    );
    assert.deepEqual(await placesOf('markdown', 'Press it.', { fileName: 'getting-started.md' }), [
      ['Getting started', 'paragraph-1'],
    ]);
  });

  it('keeps items with a command below each as items', async () => {
    const text = ['Debian', 'Arch', 'macOS', 'Other'].map(
      (name) => `* ${name}\n\n\`\`\`\nget ${name}\n\`\`\`\n`,
    );
    const { sections } = await read('markdown', `# Pump\n\n${text.join('\n')}`);
    assert.deepEqual(
      sections.map(({ title }) => title),
      ['Pump'],
    );
    assert.match(sections[0]?.content ?? '', /^- Arch$/m);
  });

  it('has nothing that only the generator of its site understands, and the names of tabs', async () => {
    const lines = [
      '[[_TOC_]]\n\n## :rocket: Start :star:',
      "import Tabs from '@theme/Tabs'\n\n{{< note >}}\nOil it.\n{{< /note >}}\n{: .wide}",
      '=== "Sea"\n\n    Salt.',
      '<TabItem value="l" label="Lake">\n\nNone.\n\n</TabItem>',
      'Lid\n: It closes at 10:30.\n\nPut `{{< note >}}` there.',
    ];
    assert.equal(
      await textOf('markdown', lines.join('\n\n')),
      '### Start\n\nOil it.\n\nSea:\n\nSalt.\n\nLake\n\nNone.\n\nLid\n\nIt closes at 10:30.\n\nPut `{{< note >}}` there.',
    );
  });

  it('keeps lists of one item as lists, also where several have text below them', async () => {
    const text = ['oil', 'lid', 'run'].map(
      (name) => `## pump.${name}()\n\n* Returns: {Pump}\n\nIt can ${name}.`,
    );
    assert.deepEqual(
      (await placesOf('markdown', text.join('\n\n'))).map(([title]) => title),
      ['pump.oil()', 'pump.lid()', 'pump.run()'],
    );
  });

  it('has no contents of which only the numbers are links', async () => {
    const text = `# Pump\n\n## Table of contents\n\n**[1. General](#g)**\n\n[1.1.](#a) When I start it, it fails with \`no water: found\`  \n[1.2.](#b) Why?  \n\n## General\n\nText.`;
    assert.deepEqual(
      (await read('markdown', text)).sections.map(({ title }) => title),
      ['Pump › General'],
    );
  });

  it('has no lines of links to its own headings, whatever they are called there', async () => {
    const links = ['oil', 'lid', 'oil'].map((id, at) => `<a href="#${id}">  \`-${at}\`</a><br/>`);
    const text = `# Pump\n\nIt pumps.\n\n${links.join('\n')}\n\n## Oil\n\na\n\n## Lid\n\nb`;
    assert.equal(
      await textOf('markdown', text),
      '### Pump\n\nIt pumps.\n\n### Oil\n\na\n\n### Lid\n\nb',
    );
  });

  it('has the headings around joined sections that have no text of their own', async () => {
    const text = '# A\n\nText.\n\n## B\n\n### C\n\nc\n\n## D\n\n### C\n\nd';
    const { sections } = await read('markdown', text, { min: 500 });
    assert.deepEqual(
      sections.map(({ content }) => content.match(/\w+/g)?.join(' ')),
      ['A Text B C c D C d'],
    );
  });

  it('uses title and language of its front matter, which is no text', async () => {
    const head = '---\ntitle: "Handbuch: Router"\nlang: de\ntags: [a, b]\n---\n';
    const { sections } = await read('markdown', `${head}Kurz.`);
    assert.deepEqual(
      sections.map(({ title, content, language }) => [title, content, language]),
      [['Handbuch: Router', 'Kurz.', 'de']],
    );
    assert.equal(await textOf('markdown', '+++\ntitle = "T"\n+++\nText.'), 'Text.');
    const bomb = `---\na: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b]\ntitle: Title\n---\nText.`;
    assert.equal((await read('markdown', bomb)).sections[0]?.title, 'Title');
  });

  it('keeps tables, code, numbers and nested lists', async () => {
    const text = [
      '2. Plug it in:',
      '',
      '   ```sh',
      '   $ start',
      '     --now',
      '   ```',
      '3. Wait.',
      '   - red',
      '     1. off',
      '- [x] done',
      '',
      '| a | b\\|c |',
      '|---|---|',
      '| `1*` | x |',
    ].join('\n');
    assert.equal(
      await textOf('markdown', text),
      [
        '2. Plug it in:',
        '',
        '  ```',
        '  $ start',
        '    --now',
        '  ```',
        '',
        '3. Wait.',
        '  - red',
        '    1. off',
        '- [x] done',
        '',
        '| a | b\\|c |',
        '| --- | --- |',
        '| `1*` | x |',
      ].join('\n'),
    );
  });

  it('keeps long code in a list, and all words of a long item', async () => {
    const code = Array.from({ length: 250 }, (_, row) => `   row ${row}`).join('\n');
    const written = await textOf('markdown', `1. See:\n\n   \`\`\`\n${code}\n   \`\`\``);
    assert.ok(written.includes(code.replaceAll('   row', '  row')), written);
    const words = Array.from({ length: 250 }, (_, row) => `w${row}`);
    const item = await textOf('markdown', `- ${words.join('\n  ')}`);
    assert.deepEqual(item.match(/w\d+/g), words);
  });

  it('keeps addresses of other sites, and the words of links within the document', async () => {
    assert.equal(
      await textOf(
        'markdown',
        'See [a](#b), [d](https://e.example/f(1)), [x](javascript:y) and <https://g.example/>.',
      ),
      'See a, [d](https://e.example/f%281%29), x and https://g.example/.',
    );
  });

  it('has the first line of a block of percent signs as its title', async () => {
    const text =
      '% Getting started with Pump\n% [A. Person](mailto:a@example.org);\n  B. Person\n% 2026\n\n# Oil\n\nIt is oiled.\n\n# Lid\n\nIt shuts.';
    assert.deepEqual(
      (await placesOf('markdown', text)).map(([title]) => title),
      ['Getting started with Pump › Oil', 'Getting started with Pump › Lid'],
    );
    assert.equal(await textOf('markdown', text), '### Oil\n\nIt is oiled.\n\n### Lid\n\nIt shuts.');
  });

  it('keeps a capital that is the first of a name', async () => {
    const text = '# A. Data\n\nIt is.\n\n# E. coli data\n\nIt is too.';
    assert.deepEqual(
      (await placesOf('markdown', text)).map(([title]) => title),
      ['Data', 'E. coli data'],
    );
  });

  it('keeps links to other documents of its source, but not to pictures and programs', async () => {
    const links =
      '[a](../b_c.md#d), [`e`](e/), [f](f.png), [g](https://h.example/), [b][i](x:y), [k][k]';
    assert.equal(
      await textOf('markdown', `${links}\n\n[k]: <a b.html>`),
      '[a](source:../b_c.md#d), [`e`](source:e/), f, [g](https://h.example/), [b]i, [k](source:a%20b.html)',
    );
  });

  it('is cut as if the addresses of its links were short, and has none of them in titles', async () => {
    const path = `${'folder/'.repeat(30)}b.md`;
    const paragraph = `Read [this](${path}) ${'and more words '.repeat(10)}`.trim();
    const { sections } = await read('markdown', `${paragraph}.\n\n`.repeat(16));
    assert.equal(sections.length, 1);
    assert.equal(sections[0]?.content.split(`[this](source:${path})`).length, 17);
    const [{ title } = { title: '' }] = (await read('markdown', `[Start](${path})\n\nText.`))
      .sections;
    assert.equal(title, 'Start');
  });

  it('names the headings of a section that has several', async () => {
    const text = '# A\n\nText.\n\n## B\n\nb\n\n## C {#see}\n\nc';
    const { sections } = await read('markdown', text, { min: 500 });
    assert.deepEqual(
      sections.map(({ anchor, anchors }) => [anchor, anchors]),
      [['a', { b: 'B', see: 'C' }]],
    );
  });

  it('puts footnotes at the end of their chapter', async () => {
    const text =
      '# A\n\nOne[^x] and two[^y].\n\n[^x]: First *note*.\n[^y]: Second.\n\n# B\n\nOther.';
    assert.equal(
      await textOf('markdown', text),
      '### A\n\nOne[^1] and two[^2].\n\n[^1]: First note.\n\n[^2]: Second.\n\n### B\n\nOther.',
    );
  });

  it('reads the boxes of documentation sites as text', async () => {
    for (const box of [
      '> [!NOTE]\n> Be careful.',
      '!!! note\n    Be careful.',
      ':::note\nBe careful.\n:::',
      '```{note}\nBe careful.\n```',
    ]) {
      assert.match(
        await textOf('markdown', `${box}\n\nRest.`),
        /^Note:\s+Be careful\.\n\nRest\.$/,
        box,
      );
    }
    assert.equal(await textOf('markdown', '(label)=\nSee {ref}`this <other>`.'), 'See this.');
  });

  it('begins no chapter with a heading within a quotation', async () => {
    const text = '# API\n\n> ## Note\n> Mind the lid.\n\n## Calls\n\nCall it.';
    assert.deepEqual(await placesOf('markdown', text), [
      ['API', 'api'],
      ['API › Calls', 'calls'],
    ]);
    assert.match(await textOf('markdown', text), /\n\nNote\n\nMind the lid\./);
  });

  it('takes no text for Markdown that its author did not mean so', async () => {
    assert.equal(
      await textOf('markdown', '1986\\. A \\*good\\* year.'),
      '1986\\. A \\*good* year.',
    );
  });
});
