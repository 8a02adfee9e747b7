import assert from 'node:assert/strict';
import { kindOf } from '../../src/language/answer-kinds.js';
import { queryTerms } from '../../src/language/analyze.js';
import { decodeFeatures, hashOf } from '../../src/language/term-features.js';
import { analysedPassages } from '../../src/search/passages/analyse-texts.js';
import { scorePassages } from '../../src/search/ranking/score-passage.js';
import { weighTerms } from '../../src/search/ranking/weigh-terms.js';

describe('The order of found passages', () => {
  it('prefers a passage with the question’s words in one sentence', () => {
    const together = 'Wait for a minute. The red lamp shows that the pump is empty. Go on.';
    const apart = 'Wait for the red light. The lamp shows a minute. Go on that the pump is empty.';
    assert.equal(best('When is the red lamp of the pump on?', [apart, together]), together);
  });

  it('counts words of the title and the previous sentence as part of a sentence', () => {
    const [near, far, titled] = score('pump filter', [
      ['', 'Open the pump. Clean the filter. Wait here.'],
      ['', 'Open the pump. Wait here. Clean the filter.'],
      ['Pump', 'Wait here. Clean the filter. Open the door.'],
    ]);
    assert.ok((near?.sentence ?? 0) > (far?.sentence ?? 0));
    assert.ok((titled?.sentence ?? 0) > (near?.sentence ?? 0));
  });

  it('prefers a passage with the words in the question’s order', () => {
    const same = 'The White House is a large house in the town.';
    const other = 'The house is a large White town in the house.';
    assert.equal(best('How large is the White House?', [other, same]), same);
  });

  it('does not count words as consecutive across the end of a sentence', () => {
    const [within, across] = score('white house', [
      ['', 'It is a white house.'],
      ['', 'It is white. House is it.'],
    ]);
    assert.ok((within?.phrase ?? 0) > 0);
    assert.equal(across?.phrase, 0);
  });

  it('can find an entry without text by its title', () => {
    const [titled, other] = score('pump filter', [
      ['Pump filter', ''],
      ['', 'The pump runs.'],
    ]);
    assert.ok((titled?.sentence ?? 0) > (other?.sentence ?? 0));
  });

  it('scores a letter sequence in most passages lower than a word in one of them', () => {
    const stem = 'A valve. Here is more of it.';
    const others = ['Ventilation', 'Inventions', 'Prevention', 'Conventions'];
    const texts = [stem, ...others.map((word) => `${word}. Here is more of it.`)];
    assert.equal(best('vent valve', texts), stem);
  });

  it('scores a name higher than an equally rare word', () => {
    const [named, other] = score('did they visit Bagdad?', [
      ['', 'Bagdad was great.'],
      ['', 'A visit was great.'],
    ]);
    assert.ok((named?.sentence ?? 0) > (other?.sentence ?? 0));
  });

  it('scores a sentence lower without the kind of fact that the question asks for', () => {
    const [dated, undated] = score('When was the pump built?', [
      ['', 'The pump was built in 1975.'],
      ['', 'The pump was built in haste.'],
    ]);
    assert.ok((dated?.sentence ?? 0) > (undated?.sentence ?? 0));
  });

  it('does not accept a number of the question as the requested one', () => {
    const [further, same] = score('How many of the 12 pumps ran?', [
      ['', 'Of the 12 pumps 9 ran.'],
      ['', 'Of the 12 pumps all ran.'],
    ]);
    assert.ok((further?.sentence ?? 0) > (same?.sentence ?? 0));
  });

  it('measures the distance of words across the end of a sentence', () => {
    const filler = 'word '.repeat(20);
    const [near, far] = score('pump filter', [
      ['', `Open the pump. Clean the filter. ${filler}`],
      ['', `Open the pump. ${filler}. Clean the filter.`],
    ]);
    assert.ok((near?.window ?? 0) > (far?.window ?? 0));
  });

  it('prefers a passage if other passages with its title match too', () => {
    const [first, second, alone, untitled] = score('pump', [
      ['Cellar', 'The pump runs.'],
      ['Cellar', 'The pump stops.'],
      ['Garden', 'The pump waits.'],
      ['', 'The pump rests.'],
    ]);
    assert.ok((first?.siblings ?? 0) > 0);
    assert.equal(first?.siblings, second?.siblings);
    assert.equal(alone?.siblings, 0);
    assert.equal(untitled?.siblings, 0);
  });

  it('scores every passage zero for an empty question', () => {
    const [scored] = score('', [['Pump', 'Oil the pump.']]);
    assert.deepEqual(scored, {
      words: 0,
      grams: 0,
      sentence: 0,
      phrase: 0,
      window: 0,
      siblings: 0,
      score: 0,
      coverage: 0,
    });
  });
});

function best(question: string, texts: string[]): string | undefined {
  const scores = score(
    question,
    texts.map((text) => ['', text]),
  ).map((one) => one.score);
  return texts[scores.indexOf(Math.max(...scores))];
}

/** Scores texts as an index that holds nothing else does. */
function score(question: string, texts: [title: string, body: string][]) {
  const passages = texts.flatMap(([title, content]) =>
    Array.from(analysedPassages({ title, content, language: 'en' }), ({ features }) =>
      decodeFeatures(features),
    ),
  );
  const sum = (numbers: number[]) => numbers.reduce((all, number) => all + number, 0);
  const totals = {
    passages: passages.length,
    words: sum(passages.map(({ words }) => words.length)),
    grams: sum(passages.map(({ grams }) => grams.length)),
  };
  const holding = (term: string) =>
    passages.filter(({ words }) => words.hashes.includes(hashOf(term))).length;
  const terms = weighTerms(queryTerms(question), { passages: totals.passages, holding }, new Map());
  return scorePassages(terms, totals, passages, kindOf(question));
}
