import assert from 'node:assert/strict';
import { fingerprintSections } from '../../src/ingestion/versions/compare-versions.js';
import { pairSimilar, type TitledText } from '../../src/ingestion/versions/pair-similar.js';

const pump = 'Switch the pump off and open the lid before you clean the drum with cold water.';
const lamp = 'The lamp turns green when the heater is warm, and red when it is too hot to touch.';

describe('Comparing the texts of two versions', () => {
  it('pairs texts by similar content under another title, and by title with other content', async () => {
    const pairs = await pairSimilar(
      [
        { title: 'Cleaning', content: pump },
        { title: 'Signals', content: lamp },
      ],
      [
        { title: 'Signals', content: 'Nothing of what was said here holds any more.' },
        { title: 'Keeping it clean', content: `${pump} Then close it.` },
      ],
    );
    assert.deepEqual([...pairs].sort(), [
      [0, 1],
      [1, 0],
    ]);
  });

  it('pairs each text once, the most similar first', async () => {
    const pairs = await pairSimilar(
      [{ title: 'A', content: pump }],
      [
        { title: 'B', content: `${pump.slice(0, 50)} and so on and on, for a good while longer.` },
        { title: 'C', content: `${pump} Then close it.` },
      ],
    );
    assert.deepEqual([...pairs], [[1, 0]]);
  });

  it('does not pair texts that only share a subject', async () => {
    const other = { title: 'B', content: 'Clean water drives the pump; the drum has a lid.' };
    assert.equal((await pairSimilar([{ title: 'A', content: pump }], [other])).size, 0);
    assert.equal((await pairSimilar([{ title: 'A', content: pump }], [])).size, 0);
  });

  it('pairs texts with the same title in their order', async () => {
    const texts = Array.from({ length: 100 }, () => ({ title: 'Overview', content: '' }));
    const pairs = await pairSimilar(texts, texts);
    assert.ok([...pairs].every(([to, from]) => to === from));
    assert.equal(pairs.size, 100);
  });

  it('ignores spacing in the fingerprint of a text, and gives repeated texts different ones', () => {
    const [first, second, third] = fingerprintSections([
      { title: 'A  title', content: 'two\n\nlines' },
      { title: 'A title ', content: ' two lines' },
      { title: 'A title', content: 'two line' },
    ]);
    const [again] = fingerprintSections([{ title: 'A title', content: 'two lines' }]);
    assert.equal(first, again);
    assert.equal(new Set([first, second, third]).size, 3);
  });

  const boilerplate =
    'Read the safety instructions before you begin. Only a trained person may carry out this work. ' +
    'Switch the unit off at the main switch and secure it against being switched on again. ' +
    'Keep this page with the unit, and ask the service if anything is unclear.';
  const about = (title: string, specific: string): TitledText => ({
    title,
    content: `${boilerplate} ${specific}`,
  });
  const kept = ['Drain', 'Door', 'Heater', 'Belt', 'Lamp', 'Panel'].map((part, index) =>
    about(
      `${part} unit`,
      `Turn screw ${index} of the ${part.toLowerCase()} by ${index + 2} turns.`,
    ),
  );
  const valve = about('Replacing the valve', 'Unscrew the valve and put in a new seal of rubber.');
  const network = about(
    'Network connection',
    'Plug the cable into the socket and enter a password.',
  );

  it('does not pair a removed text with a new one by what most of the document says', async () => {
    const whole = { earlier: [...kept, valve], later: [...kept, network] };
    assert.equal((await pairSimilar([valve], [network], whole)).size, 0);
    assert.equal((await pairSimilar(whole.earlier, whole.later)).has(kept.length), false);
  });

  it('pairs texts of much boilerplate that a person edited', async () => {
    const edits: TitledText[] = [
      { ...valve, title: 'Exchange of the valve' },
      { ...valve, content: valve.content.replace('new seal', 'new seel') },
      { ...valve, content: `${valve.content}\n\nThen open the water again, slowly.` },
      about('Valve', 'Unscrew the valve and put in a new seal of rubber. Dry it.'),
    ];
    for (const edited of edits) {
      const whole = { earlier: [...kept, valve], later: [...kept, edited] };
      assert.deepEqual([...(await pairSimilar([valve], [edited], whole))], [[0, 0]]);
    }
  });

  it('pairs in both directions alike, always the same, and never without a specific word', async () => {
    const number = (most: number, of: number) => integer(seeded, most, of);
    let seeded = 1;
    function integer(seed: number, most: number, of: number): number {
      seeded = (seed * 48_271 + of) % 2_147_483_647;
      return seeded % most;
    }
    const common = ['the', 'unit', 'is', 'switched', 'off', 'before', 'work', 'begins'];
    const make = (): TitledText[] =>
      Array.from({ length: 3 + number(12, 1) }, (_, index) => {
        const specific = Array.from({ length: number(8, 2) }, () => `part${number(40, 3)}`);
        return {
          title: `Chapter ${index} t${number(30, 4)}`,
          content: [...common, ...specific, ...common].join(' '),
        };
      });
    let pairsSeen = 0;
    for (let round = 0; round < 200; round++) {
      const [a, b] = [make(), make()];
      const there = await pairSimilar(a, b);
      const back = await pairSimilar(b, a);
      assert.deepEqual(sorted([...there]), sorted([...back].map(([to, from]) => [from, to])));
      assert.deepEqual([...(await pairSimilar(a, b))], [...there]);
      for (const [to, from] of there) {
        pairsSeen++;
        const [one, other] = [wordsOf(a[from]), wordsOf(b[to])];
        const shared = [...one].filter((word) => other.has(word) && !common.includes(word));
        assert.ok(shared.length > 1, `${a[from]?.content} / ${b[to]?.content}`);
      }
    }
    assert.ok(pairsSeen > 50);
  });
});

/** The words of a text and its title. All titles of the test share the word "Chapter". */
function wordsOf(text: TitledText | undefined): Set<string> {
  return new Set(`${text?.title} ${text?.content}`.split(' '));
}

function sorted(pairs: number[][]): number[][] {
  return pairs.sort(([a = 0], [b = 0]) => a - b);
}
