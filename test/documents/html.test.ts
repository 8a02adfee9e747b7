import assert from 'node:assert/strict';
import { placesOf, read, textOf } from './read.js';

const page = (body: string, head = '') =>
  `<!doctype html><html lang=en><head>${head}</head><body>${body}</body></html>`;

describe('A page of HTML', () => {
  it('is its content, without what is around it on every page', async () => {
    const text = await textOf(
      'html',
      page(`<header><a href=/>Acme</a></header><nav>Home</nav><div class="cookie-banner">We use cookies.</div>
        <main><ul><li><a href="#a">A</a><li><a href="#b">B</a><li><a href="#c">C</a></ul>
        <h1>Router</h1><p>Text.<div class=prev-next><a href=x>Next</a></div>
        <ul class=docnav><li class=previous><a href=w accesskey=p>Kế tiếp</a></ul></main>
        <aside>Ads</aside><footer>© Acme</footer><script>alert(1)</script>`),
    );
    assert.equal(text, '### Router\n\nText.');
  });

  it('loses rows and lists of links that only lead elsewhere', async () => {
    const many = Array.from(
      { length: 30 },
      (_, at) => `<li><a href="p${at}.html">Page ${at}</a>`,
    ).join('');
    const parts = [
      '<p><a href=/>Site</a> » <a href=/docs>Docs</a> » Pump',
      '<table><tr><td>Acme<td><a href=/a>Products</a><td><a href=/b>People</a><td><a href=/c>Questions</a></table>',
      '<p><a href=1><img alt=Prev src=p></a> <a href=2><img alt=Home src=h></a>',
      '<p>Next: <a href=n rel=next>B</a>, Previous: <a href=p rel=prev>A</a>, Up: <a href=t rel=up>Top</a> [<a href=c>Contents</a>]</p>',
      '<a href=1><img alt=Previous src=p></a> <a href=2><img alt=Up src=u></a><hr>',
      '<h1>Pump</h1><p>See <a href=a>a</a>, <a href=b>b</a>.</p>',
      '<div><a href="#a">One?</a><br><a href="#b">Two?</a><br>\n<a href="#c">Three?</a><br></div>',
      `<ul>${many}</ul><ul><li><a href=x>X</a><li><a href=https://y.example/>Y</a></ul>`,
      '<div><a href="#top"><img alt=top src=up></a></div>',
    ];
    const links = 'See [a](source:a), [b](source:b).\n\n- [X](source:x)\n- [Y](https://y.example/)';
    assert.equal(await textOf('html', page(parts.join(''))), `### Pump\n\n${links}`);
    const short = `<main><h1>Pump</h1><p>Moved.</p></main><div>${'Words of a footer. '.repeat(30)}</div>`;
    assert.equal(await textOf('html', page(short)), '### Pump\n\nMoved.');
  });

  it('has one colon behind a term, lines that spaces indent, and boxes', async () => {
    const parts = [
      '<h1>Pump</h1><table><tr><td><a href=o>Oil:</a><td>all<tr><td>Lid<td>none</table>',
      '<p>pump {<br>\n&nbsp;&nbsp;oil<br>\n}</p><div class="note"><h3>Note</h3><p>Oil it.</div>',
    ];
    assert.equal(
      await textOf('html', page(parts.join(''))),
      '### Pump\n\n- [Oil:](source:o) all\n- Lid: none\n\n```\npump {\n  oil\n}\n```\n\nNote\n\nOil it.',
    );
  });

  it('parts paragraphs at two breaks, also where the first ones are inside of an inline element', async () => {
    const part =
      'Run <i>pump -t<br><br></i>Read <b>it<br></b><span></span><br><u>twice<br>a day</u>.';
    const text = await textOf('html', page(`<p>${part}</p>`));
    assert.equal(text, 'Run pump -t\n\nRead it\n\ntwice a day.');
  });

  it('keeps headings without a text of their own: those that share one, and those that end a part', async () => {
    const parts = [
      '<h1>Pump</h1><h2>Options</h2><h3>--left</h3><h3>--right</h3><p>Where the oil goes.</p>',
      '<h3>--a</h3><p>A.</p><h3>--b</h3><p>B.</p><h3>--rest</h3><h2>Files</h2><p>None.</p>',
    ];
    const text = await textOf('html', page(parts.join('')));
    assert.match(
      text,
      /### --left\n\n### --right\n\nWhere the oil goes\.[^]*\n\nB\.\n\n### --rest/,
    );
  });

  it('has no index at its end, and no links to its top', async () => {
    const part = (at: number, name: string) =>
      `<h2><a name=s${at}>${at}.</a> <a href="#toc${at}">${name}</a></h2><p>${name} it.</p>`;
    const top = '<p align=right>(<a href="#t">back to top</a>)</p>';
    const index =
      '<h2>Index</h2><dl><dt><a href="#s1">OIL</a><dt><a href="#s2">LID</a><dt><a href="#s3">RUN</a></dl>';
    const body = `<h1>Pump</h1><p>It pumps.</p>${part(1, 'Oil')}${top}${part(2, 'Lid')}${top}${part(3, 'Run')}${top}${index}`;
    assert.equal(
      await textOf('html', page(body)),
      '### Pump\n\nIt pumps.\n\n### 1. Oil\n\nOil it.\n\n### 2. Lid\n\nLid it.\n\n### 3. Run\n\nRun it.',
    );
  });

  it('has a version or a package above its first heading in the section of that', async () => {
    const body =
      '<div>Package <a href=p.html>org.pump</a></div><h2>Class Oil</h2><p>It is oil.</p>';
    const { sections } = await read('html', page(body, '<title>Oil (Pump API)</title>'));
    assert.deepEqual(
      sections.map(({ title, content }) => [title, content]),
      [['Class Oil', 'Package [org.pump](source:p.html)\n\n### Class Oil\n\nIt is oil.']],
    );
  });

  it('has each panel of its tabs below the name of the tab, though a page shows one at a time', async () => {
    const rows = [
      '<div><ul role=tablist><li role=tab>Sea</li><li role=tab>Lake</li></ul><div><div role=tabpanel><p>Salt.</p></div><div role=tabpanel hidden><p>None.</p></div></div></div>',
      '<div><div class=tabbed-labels><label>Sea</label><label>Lake</label></div><div><div><p>Salt.</p></div><div><p>None.</p></div></div></div>',
      '<div role=tablist><button role=tab>Sea</button><button role=tab>Lake</button></div><div role=tabpanel><p>Salt.</p></div><div role=tabpanel style="display:none"><p>None.</p></div>',
    ];
    for (const row of rows)
      assert.equal(await textOf('html', page(row)), 'Sea\n\nSalt.\n\nLake\n\nNone.');
  });

  it('has listings as a page shows them: an element or a break ends a line, and numbers beside it are left out', async () => {
    const parts = [
      '<pre><div class=token-line>oil</div><div class=token-line>  lid</div></pre>',
      '<p><tt>pump -a<br>\n  pump -b</tt></p>',
      '<span class=lang>sh</span><pre><span class=sourceLineNo>001</span>run</pre><div class=line-numbers-wrapper aria-hidden=true><span>1</span></div>',
      '<dl><dt>pump<br><code>pump(a)</code></dt><dd>Pumps.</dd></dl>',
    ];
    assert.equal(
      await textOf('html', page(parts.join(''))),
      '```\noil\n  lid\n```\n\n```\npump -a\npump -b\n```\n\n```\nrun\n```\n\npump\n\n`pump(a)`\n\nPumps.',
    );
  });

  it('is empty when it leads to another page', async () => {
    const refresh = '<meta http-equiv=Refresh content="0; url=oil.html">';
    const code = { code: 'no_extractable_text' };
    await assert.rejects(
      textOf('html', page('<p>It is at <a href=oil.html>Oil</a>.', refresh)),
      code,
    );
    await assert.rejects(textOf('html', page('<h1>Pump</h1>')), code);
  });

  it('is read as plain text where a program put running text into a listing', async () => {
    const prose = 'Oil the pump once a year, and close the lid behind you. '.repeat(40);
    const text = await textOf('html', page(`<pre>USAGE\n\n${prose}\n\n  - one\n  - two\n</pre>`));
    assert.equal(text, `### USAGE\n\n${prose.trim()}\n\n- one\n- two`);
    const code = `<pre>${'if (pump.isOpen()) { pump.close(); }\n'.repeat(80)}</pre>`;
    assert.match(await textOf('html', page(code)), /^```/);
  });

  it('has the anchors by which an address names its headings', async () => {
    const body = `<h1 id=top-1>R</h1><p>x</p><section id=s><h2>S<a class=headerlink href="#s">¶</a></h2><p>y</p></section>
      <a name=n></a><h2>N</h2><p>z</p><h2>None, at all</h2><p>w</p>`;
    const address = 'https://docs.example/r';
    assert.deepEqual(await placesOf('html', page(body), { address }), [
      ['R', 'top-1'],
      ['R › S', 's'],
      ['R › N', 'n'],
      ['R › None, at all', ':~:text=None%2C%20at%20all'],
    ]);
    assert.equal((await placesOf('html', page(body))).at(-1)?.[1], 'none-at-all');
  });

  it('has the last id above each part of a long chapter', async () => {
    const prose = 'Oil the pump once a year, and close the lid behind you. '.repeat(60);
    const body = `<h1 id=top>R</h1><p>${prose}<p id=a>${prose}<ul><li id=b>${prose}<li>One</ul><p>${prose}`;
    assert.deepEqual(await placesOf('html', page(body)), [
      ['R', 'top'],
      ['R (2)', 'a'],
      ['R (3)', 'b'],
      ['R (4)', 'b'],
    ]);
  });

  it('keeps links to other pages of its site from the root of the site', async () => {
    const body = `<p>See <a href="../a?b=c#d">a</a>, <a href="#x">b</a>, <a href="//other.example/">c</a>, <a href="/f.zip">f</a>.`;
    const address = 'https://docs.example/r/s';
    const text = 'See [a](source:/a?b=c#d), b, [c](https://other.example/), f.';
    assert.equal(await textOf('html', page(body), { address }), text);
  });

  it('takes the name of the site out of its title', async () => {
    const title = '<title>Backup — Router 3.2 documentation</title>';
    assert.deepEqual(await placesOf('html', page('<p>Above.</p><h2 id=a>A</h2><p>x</p>', title)), [
      ['Backup', null],
      ['A', 'a'],
    ]);
  });

  it('leaves out and reports what nobody sees', async () => {
    const hidden = [
      '<p hidden>one</p>',
      '<p style="display: none">two</p>',
      '<span style="font-size:0">three</span>',
      '<div style="position:absolute;left:-9999px">four</div>',
      '<p style="color:#fff">five</p>',
      '<b style="visibility:hidden!important">six</b>',
    ];
    const found = await read('html', page(`<p>Seen.</p>${hidden.join('')}`));
    assert.equal(found.sections[0]?.content, 'Seen.');
    assert.deepEqual(
      found.hidden.map(({ reason, text }) => [reason, text]),
      [
        ['invisible', 'one'],
        ['invisible', 'two'],
        ['tiny', 'three'],
        ['off_page', 'four'],
        ['colour', 'five'],
        ['invisible', 'six'],
      ],
    );
    const sheet = `<style>p.a, .b > i, #c{color:red;display:none} /* .d{} */ @media print{.d{display:none}} .e{visibility:hidden}
      .f{display:none} p{display:block} .f.g{display:inline}</style><style media=print>.d{display:none}</style>`;
    const styled = await read(
      'html',
      page(
        '<p class=a>one<p id=c>two<p class=e>three<p class=f>four<p class=d>Seen.<p class="f g">Seen.<b class=a>Seen.</b>',
        sheet,
      ),
    );
    assert.equal(styled.sections[0]?.content, 'Seen.\n\nSeen.Seen.');
    assert.deepEqual(
      styled.hidden.map(({ text }) => text),
      ['one', 'two', 'three', 'four'],
    );
    const white = page('<table bgcolor=navy><tr><td><p style="color:white">Seen.</p></table>');
    assert.deepEqual((await read('html', white)).hidden, []);
  });

  it('has all items of a list whose paragraphs are left open', async () => {
    const list = '<ul><p><li>One.<p>More.<p><li>Two.<p><li>Three.</ul><p>Text.';
    assert.equal(await textOf('html', page(list)), '- One.\n\n  More.\n- Two.\n- Three.\n\nText.');
    const terms = '<dl><dt>Mode<dd>Fast.<p>Very.<dt>Size<dd>Large.</dl>';
    assert.equal(await textOf('html', page(terms)), 'Mode\n\nFast.\n\nVery.\n\nSize\n\nLarge.');
  });

  it('keeps in an item what stands below a list or a listing in it, and takes items without a list', async () => {
    const body =
      '<ul><li>Oil<ul><li>Old</ul>It burns.<li>Run<pre>pump\n\n  -t</pre><p>Wait.</ul><p>Text.<li>Lid<pre>lid</pre>';
    assert.equal(
      await textOf('html', page(body)),
      '- Oil\n  - Old\n\n  It burns.\n\n- Run\n\n  ```\n  pump\n\n    -t\n  ```\n\n  Wait.\n\nText.\n\n- Lid\n\n  ```\n  lid\n  ```',
    );
  });

  it('has short lines as lines, and others as one paragraph', async () => {
    const line = 'It pumps the water of a whole house, all day long,';
    const text = await textOf(
      'html',
      page(
        `<p>Pump<br>Lamp (red)<br>Hose</p><p>[oil]<br>all=2<br>lid=3</p><p>${`${line}<br>`.repeat(3)}</p>`,
      ),
    );
    assert.equal(
      text,
      `Pump  \nLamp (red)  \nHose\n\n\`\`\`\n[oil]\nall=2\nlid=3\n\`\`\`\n\n${`${line} `.repeat(3).trim()}`,
    );
  });

  it('keeps a name on its own line above what it names', async () => {
    const body =
      '<ul><li><code>mod_a</code><br>Handles <b>users</b><br>and groups.</ul><p><a name=p><b>Pump</b></a><br>It pumps.';
    assert.equal(
      await textOf('html', page(body)),
      '- `mod_a`\n\n  Handles users and groups.\n\nPump\n\nIt pumps.',
    );
  });

  it('has headings that only the names of their classes tell', async () => {
    const section = (number: string, title: string, depth: number) =>
      `<div class="section${depth}-header"><div class="section${depth}-number">\n${number}\n</div><div class="section${depth}-title">\n${title}\n</div></div><p>About ${title}.</p>`;
    const body = `${section('1', 'Pump', 1)}${section('1.1', 'Hose', 2)}${section('2', 'Lamp', 1)}<p class=h1>Bulb</p><p>It glows.`;
    assert.deepEqual(
      (await placesOf('html', page(body))).map(([title]) => title),
      ['Pump', 'Pump › Hose', 'Lamp', 'Bulb'],
    );
  });

  it('has its name above its chapters, whether it is only stated or the first of them', async () => {
    const chapters = '<h1>Hose</h1><p>Long.</p><h2>Ends</h2><p>Two.</p><h1>Lamp</h1><p>Red.</p>';
    const under = ['Pump manual › Hose', 'Pump manual › Hose › Ends', 'Pump manual › Lamp'];
    const titles = async (body: string, head: string) =>
      (await placesOf('html', page(body, head))).map(([title]) => title);
    assert.deepEqual(await titles(chapters, '<title>Pump manual</title>'), under);
    assert.deepEqual(await titles(`<h1>Pump manual</h1>${chapters}`, ''), under);
    assert.deepEqual((await titles(chapters, '<title>Untitled 1</title>'))[2], 'Lamp');
    const book = '<title>2.1 Hose</title><link rel=home title="Pump manual">';
    assert.deepEqual(await titles('<h2>2.1 – Hose</h2><p>Long.</p>', book), ['Pump manual › Hose']);
    assert.deepEqual(await titles('<h1>Pump manual</h1><p>Long.</p>', book), ['Pump manual']);
  });

  it('has no foot', async () => {
    const text = `<h1>Pump</h1><p>${'It pumps water. '.repeat(50)}</p>`;
    const feet = [
      '<div class=copyright>(C) Copyright 2022 Acme. All rights reserved.</div>',
      '<hr><a href=x><img src=x alt="Click here to start the pump"></a><p>Click here to start the <a href=x>pump</a>.',
      '<br><hr><font size=2><b>&copy; Copyright 2022 Acme<br>All Rights Reserved<br></b></font><hr><br>',
    ];
    for (const foot of feet) {
      const read = await textOf('html', page(`${text}${foot}`));
      assert.match(read, /It pumps water\.$/, foot);
    }
    const own = await textOf('html', page(`${text}<h2>Licence</h2><p>Copyright 2022 Acme</p>`));
    assert.match(own, /Copyright 2022 Acme$/);
  });

  it('has headings where its contents lead, though they are paragraphs', async () => {
    const body = `<h1>Pump</h1><ul><li><a href="#q1">How do I fill it?</a><li><a href="#q2">Why is it hot?</a><li><a href="#q3">The hose</a></ul>
      <p id=q1><a href="#top">^</a> <b>1.</b> <i>How do I fill it?</i></p><p>With water.</p>
      <p id=q2><a href="#top">^</a> <b>2.</b> <i>Why is it hot?</i></p><p>No water.</p>
      <p><a name=q3><b>The hose</b></a><br>It is long.</p>`;
    assert.deepEqual(
      (await placesOf('html', page(body))).map(([title]) => title),
      ['Pump › How do I fill it?', 'Pump › Why is it hot?', 'Pump › The hose'],
    );
  });

  it('has no menu beside its text, and no signs above it', async () => {
    const links = ['a', 'b', 'c', 'd', 'e', 'f'].map(
      (name) => `<li><a href="${name}.html">Page ${name}</a>`,
    );
    const body = `<table><tr><td><a href="http://x.org"><img src=x alt="X logo"></a><td><h1>Pump</h1></table>
      <table><tr><td><b>Menu</b><ul>${links.join('')}</ul><td><p>It pumps.</table>`;
    assert.equal(await textOf('html', page(body)), '### Pump\n\nIt pumps.');
  });

  it('has one listing of lines that are one each', async () => {
    const lines = ['message', '-------', ' Data'].map((line) => `<pre class=out>${line}</pre>\n`);
    assert.equal(
      await textOf('html', page(`<pre class=cmd>ask</pre>${lines.join('')}`)),
      '```\nask\n```\n\n```\nmessage\n-------\n Data\n```',
    );
  });

  it('reads a listing that was left open as text', async () => {
    const rows = '<p>A: It oils -*all* of\nthe lid.<p>And so it goes on.'.repeat(80);
    const body = `<h2>Oil</h2><pre>pump <file> [-a\n  -b]\n<p>It pumps.<more></pre>${rows}`;
    const text = await textOf('html', page(body.replace('<more></pre>', '<more </pre>')));
    assert.match(text, /It pumps\.[^]*It oils -\\?\*all\\?\* of the lid\./);
  });

  it('has no link that stands alone below many sections', async () => {
    const part = (name: string) =>
      `<h2>${name}</h2><p>It is ${name}.</p><p><a href="#all">All parts</a></p>`;
    const body = `<h1 id=all>Pump</h1><p>See <a href="#oil">oil</a>.</p>${['Oil', 'Lid', 'Lamp', 'Hose', 'Tank'].map(part).join('')}`;
    assert.doesNotMatch(await textOf('html', page(body)), /All parts/);
    assert.match(await textOf('html', page(body.replace(part('Tank'), ''))), /All parts/);
  });

  it('has the description of a picture in a sentence, but not of one that stands alone', async () => {
    const body =
      '<div class=figure><p>Figure 1. The red lamp</p><img src=a.png alt="The red lamp"><p><a href=x><img src=b.png alt="A hose"></a></div><p>Press <img src=R.svg alt=R> or <img src=i/Right.svg alt=Right>, then <img src=i/st-ok.png alt="i/st-ok"> and <img src=c.svg alt="the close button">.<p><img src=i/Note.png alt=Note> It is red.';
    assert.equal(
      await textOf('html', page(body)),
      'Figure 1. The red lamp\n\nPress R or Right, then and the close button.\n\nIt is red.',
    );
  });

  it('has headings without arrows and pictures beside their words', async () => {
    const body = `<h1><img src=logo.png alt="A logo"> Pump <a href="x"><img src=b.svg alt="Build passing"></a></h1><p>Text.</p>
      <h2><a name=menu>Menu</a> <a href="#top">↑</a></h2><p>More.</p>
      <h2>Size</h2><p>Large.</p><h2><img src=l.png alt="Lamp"></h2><p>Red.</p>`;
    assert.deepEqual(
      (await placesOf('html', page(body))).map(([title]) => title),
      ['Pump', 'Pump › Menu', 'Pump › Size', 'Pump › Lamp'],
    );
  });

  it('keeps lines of code, spreads merged cells, and drops numbers of lines', async () => {
    const text = await textOf(
      'html',
      page(`<table><tr><td class=linenos><pre>1\n2</pre><td><pre>if a:\n  b</pre></table>
        <table><caption>Table 1: Sizes</caption><tr><th>Kind<th>Size</tr><tr><td rowspan=2>A<td>1</tr><tr><td>2</table>`),
    );
    assert.equal(
      text,
      '```\nif a:\n  b\n```\n\nTable 1: Sizes\n\n| Kind | Size |\n| --- | --- |\n| A | 1 |\n| A | 2 |',
    );
  });

  it('reads footnotes, terms, formulas and pictures', async () => {
    const text = await textOf(
      'html',
      page(`<p>A<sup><a href="#fn1">1</a></sup> and <math alttext="x^2"></math> <img alt="The lamp is red" src=a.png><img alt=b.png>.</p>
        <dl><dt>Mode<dd>How it runs.</dl><ol class=footnotes><li id=fn1>Note. <a href="#r">↩</a></li></ol>`),
    );
    assert.equal(text, 'A[^1] and x^2 The lamp is red .\n\nMode\n\nHow it runs.\n\n[^1]: Note.');
  });

  it('reads footnotes whose number is a term or a heading, and no name of a picture', async () => {
    const sphinx = `<dl class="footnote brackets"><dt class=label id=n1><span><a href="#r1">1</a></span></dt><dd><p>Of policy.</p></dd>
      <dt class=label id=n2><a href="#r2">2</a></dt><dd><p>Of <code>dpkg</code>.</p></dd></dl>`;
    assert.equal(
      await textOf(
        'html',
        page(
          `<p>A<a href="#n1" id=r1>1</a> and <img src="i/add_line_24.png" alt="add line 24">B <a href="#n2" id=r2>[2]</a>.</p>${sphinx}`,
        ),
      ),
      'A[^1] and B [^2].\n\n[^1]: Of policy.\n\n[^2]: Of `dpkg`.',
    );
    const texinfo = `<div class=footnote><hr><h5><a id=FOOT1 href="#DOCF1">(1)</a></h5><p>From 11.</p><h5><a id=FOOT2 href="#DOCF2">(2)</a></h5><p>Old.</p></div>`;
    assert.equal(
      await textOf(
        'html',
        page(
          `<p>Of<a id=DOCF1 href="#FOOT1"><sup>1</sup></a> us<a id=DOCF2 href="#FOOT2"><sup>2</sup></a>.</p>${texinfo}`,
        ),
      ),
      'Of[^1] us[^2].\n\n[^1]: From 11.\n\n[^2]: Old.',
    );
  });

  it('is decoded as it says, or as its bytes tell', async () => {
    const latin = Buffer.from(page('<p>Größe</p>', '<meta charset=iso-8859-1>'), 'latin1');
    assert.equal(await textOf('html', latin), 'Größe');
    const wide = Buffer.from(`\ufeff${page('<p>Größe</p>')}`, 'utf16le');
    assert.equal(await textOf('html', wide), 'Größe');
    assert.equal(await textOf('html', Buffer.from(page('<p>Größe “x”</p>'))), 'Größe “x”');
  });
});
