import assert from 'node:assert/strict';
import { createWordWrapper, wrapText, wrapWords } from '../../../src/platform/cli/columns.js';

/** The text as a terminal of this width shows it. It must be the same for whole text and single letters. */
function wrap(text: string, columns: number | 'unknown' = 21): string {
  const columnsOf = () => (columns === 'unknown' ? undefined : columns);
  const whole = createWordWrapper(columnsOf);
  const shown = whole.push(text) + whole.end();
  const pieces = createWordWrapper(columnsOf);
  const letters = Array.from(text, (letter) => pieces.push(letter)).join('') + pieces.end();
  assert.equal(letters, shown, 'a text in pieces is shown like a whole text');
  return shown;
}

describe('An answer at a terminal', () => {
  it('is wrapped between words, and keeps its own line breaks', () => {
    assert.equal(
      wrap('The filter keeps the dust out [1].\n\nClean it.'),
      'The filter keeps the\ndust out [1].\n\nClean it.',
    );
    assert.equal(wrap('Twenty letters fit in. Yes'), 'Twenty letters fit\nin. Yes');
  });

  it('shows a word as soon as it is complete', () => {
    const wrapper = createWordWrapper(() => 80);
    assert.equal(wrapper.push('The fil'), 'The');
    assert.equal(wrapper.push('ter keeps'), ' filter');
    assert.equal(wrapper.end(), ' keeps');
  });

  it('aligns the further lines of a list item with its text', () => {
    assert.equal(
      wrap('- Open the lid of the box\n10. Close it after some time'),
      '- Open the lid of\n  the box\n10. Close it after\n    some time',
    );
  });

  it('keeps code and tables unchanged', () => {
    const code = '```\nassistant ingest a-long-name.pdf --approve --json\n```';
    assert.equal(
      wrap(`${code}\nAnd then wait for the end.`),
      `${code}\nAnd then wait for\nthe end.`,
    );
    const table = '| the name of it | what it is for |\n| --- | --- |';
    assert.equal(wrap(table), table);
    const indented = '    assistant ingest a-long-name.pdf --approve';
    assert.equal(wrap(indented), indented);
  });

  it('keeps words without spaces whole, and counts wide characters as two columns', () => {
    const address = `https://docs.acme.example/${'x'.repeat(20)}`;
    assert.equal(wrap(`See ${address} there`), `See\n${address}\nthere`);
    assert.equal(wrap('漢字漢字 漢字漢字漢字'), '漢字漢字\n漢字漢字漢字');
  });

  it('is unchanged if the width of the terminal is unknown', () => {
    const text = 'The filter keeps the dust out.  \nClean it often.';
    assert.equal(wrap(text, 'unknown'), text);
  });
});

describe('A note at a terminal', () => {
  const restore =
    'sudo chown -R assistant /srv/assistant/data && sudo chmod -R u+rwX /srv/assistant/data';

  it('never breaks a command, which gets a line of its own if it does not fit', () => {
    const remark = `Give it to the service: ${restore}. Then look again.`;
    const whole = ['Give it to the', 'service:', `${restore}.`, 'Then look again.'];
    assert.equal(wrapText(remark, 21), whole.join('\n'));
    assert.deepEqual(wrapWords(remark, 20), whole);
  });

  it('distinguishes a command from the text before, between and after commands', () => {
    const next = 'Next: assistant ingest <a.pdf> --approve, then: assistant ask "…" and wait';
    assert.deepEqual(wrapWords(next, 20), [
      'Next:',
      'assistant ingest <a.pdf> --approve,',
      'then:',
      'assistant ask "…" and wait',
    ]);
    assert.deepEqual(wrapWords('An assistant answers people here', 20), [
      'An assistant answers',
      'people here',
    ]);
  });

  it('does not break a path that is wider than the terminal', () => {
    const path = `/srv/${'assistant/'.repeat(12)}config.yaml`;
    assert.equal(wrapText(`See ${path} there`, 80), `See\n${path}\nthere`);
  });
});
