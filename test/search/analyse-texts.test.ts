import assert from 'node:assert/strict';
import { analysedPassages, analyseTexts } from '../../src/search/passages/analyse-texts.js';
import { processorTime } from '../support/assert-linear.js';

describe('The analysis of long texts before they are stored', () => {
  const content = Array.from({ length: 6000 }, (_, index) => {
    return `Sentence ${index} tells how pump ${index % 97} is cleaned.`;
  }).join(' ');
  const text = { title: 'Pumps', content, language: 'en' as const };

  it('lets other work of the process run in between', async () => {
    let turns = 0;
    let longest = 0;
    let isOver = false;
    const began = processorTime();
    let last = began;
    const takeTurn = () => {
      const now = processorTime();
      longest = Math.max(longest, now - last);
      last = now;
      turns += 1;
      if (!isOver) setImmediate(takeTurn);
    };
    setImmediate(takeTurn);
    await analyseTexts([text]);
    isOver = true;
    const took = processorTime() - began;
    assert.ok(turns > 5, `${turns} turns`);
    assert.ok(longest < took / 2, `${longest} ms of ${took} ms at a stretch`);
  });

  it('is reused only for exactly the same text', async () => {
    const analysed = await analyseTexts([text, { ...text, language: 'de' }]);
    assert.deepEqual(analysed.passagesOf({ ...text }), [...analysedPassages(text)]);
    assert.equal(analysed.passagesOf({ ...text, title: 'Pump' }), undefined);
    assert.equal(analysed.passagesOf({ ...text, content: 'Pumps.' }), undefined);
    assert.equal(analysed.passagesOf({ ...text, language: 'es' }), undefined);
  });
});
