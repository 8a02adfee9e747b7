import assert from 'node:assert/strict';
import { stretchFinder } from '../../src/chat/view/find-stretch.js';

describe('A quoted passage in the shown answer', () => {
  const found = (shown: string, markdown: string): string | undefined => {
    const stretch = stretchFinder(shown)(markdown);
    return stretch && shown.slice(stretch.from, stretch.to);
  };

  it('is found with its full stop, without Markdown marks, link addresses and citations', () => {
    const shown = 'Open Orders. Then press it twice, please. Done.';
    assert.equal(
      found(shown, 'Then **press** [it](https://x.example/a_b) twice [2], please. '),
      'Then press it twice, please.',
    );
    assert.equal(
      found('Öffnen Sie 😀 Aufträge!', '*Öffnen* Sie 😀 `Aufträge`!'),
      'Öffnen Sie 😀 Aufträge!',
    );
  });

  it('is the next occurrence if the same words appear twice', () => {
    const shown = 'It works. It works.';
    const find = stretchFinder(shown);
    assert.deepEqual(find('It works.'), { from: 0, to: 9 });
    assert.deepEqual(find('It works.'), { from: 10, to: 19 });
  });

  it('is undefined if it is not shown or has no words', () => {
    assert.equal(found('Something else.', 'It works.'), undefined);
    assert.equal(found('Something else.', ' ** '), undefined);
    assert.equal(found('', 'It works.'), undefined);
  });

  it('is undefined if only its beginning is shown', () => {
    const shown = 'a '.repeat(20_000);
    assert.equal(found(shown, `${'a '.repeat(200)}b`), undefined);
  });
});
