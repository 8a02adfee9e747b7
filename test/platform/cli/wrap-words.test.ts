import assert from 'node:assert/strict';
import { createWordWrapper, wrapText, wrapWords } from '../../../src/platform/cli/columns.js';

/** A text as a terminal of so many columns shows it, whole and letter by letter. */
function wrap(text: string, columns: number | 'unknown' = 21): string {
  const columnsOf = () => (columns === 'unknown' ? undefined : columns);
  const whole = createWordWrapper(columnsOf);
  const shown = whole.push(text) + whole.end();
  const bits = createWordWrapper(columnsOf);
  const letters = Array.from(text, (letter) => bits.push(letter)).join('') + bits.end();
  assert.equal(letters, shown, 'it must not matter in which bits a text comes');
  return shown;
}

describe('An answer at a terminal', () => {
  it('breaks its lines between words, and keeps those that it has', () => {
    assert.equal(
      wrap('The filter keeps the dust out [1].\n\nClean it.'),
      'The filter keeps the\ndust out [1].\n\nClean it.',
    );
    assert.equal(wrap('Twenty letters fit in. Yes'), 'Twenty letters fit\nin. Yes');
  });

  it('shows a word as soon as it is whole', () => {
    const wrapper = createWordWrapper(() => 80);
    assert.equal(wrapper.push('The fil'), 'The');
    assert.equal(wrapper.push('ter keeps'), ' filter');
    assert.equal(wrapper.end(), ' keeps');
  });

  it('sets the further lines of an item below its text', () => {
    assert.equal(
      wrap('- Open the lid of the box\n10. Close it after some time'),
      '- Open the lid of\n  the box\n10. Close it after\n    some time',
    );
  });

  it('leaves code and tables as they are', () => {
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

  it('breaks what has no spaces no earlier than it must, and counts what is wide as two', () => {
    const address = `https://docs.acme.example/${'x'.repeat(20)}`;
    assert.equal(wrap(`See ${address} there`), `See\n${address}\nthere`);
    assert.equal(wrap('漢字漢字 漢字漢字漢字'), '漢字漢字\n漢字漢字漢字');
  });

  it('goes through unchanged where nobody says how wide the terminal is', () => {
    const text = 'The filter keeps the dust out.  \nClean it often.';
    assert.equal(wrap(text, 'unknown'), text);
  });
});

describe('A remark at a terminal', () => {
  const restore =
    'sudo chown -R assistant /srv/assistant/data && sudo chmod -R u+rwX /srv/assistant/data';

  it('never breaks a command, which gets a line of its own where it does not fit', () => {
    const remark = `Give it to the service: ${restore}. Then look again.`;
    const whole = ['Give it to the', 'service:', `${restore}.`, 'Then look again.'];
    assert.equal(wrapText(remark, 21), whole.join('\n'));
    assert.deepEqual(wrapWords(remark, 20), whole);
  });

  it('tells a command from what is said before, between and after it', () => {
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

  it('keeps a path or an address whole that is longer than the terminal is wide', () => {
    const path = `/srv/${'assistant/'.repeat(12)}config.yaml`;
    assert.equal(wrapText(`See ${path} there`, 80), `See\n${path}\nthere`);
  });
});
