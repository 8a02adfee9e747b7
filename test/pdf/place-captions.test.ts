import assert from 'node:assert/strict';
import type { Block, BlockKind } from '../../src/sections/block.js';
import { placeCaptions } from '../../src/pdf/sections/place-captions.js';

function block(kind: BlockKind, text: string, page: number): Block {
  return { kind, text, pageFrom: page, pageTo: page };
}

const textsOf = (blocks: readonly Block[]) => placeCaptions(blocks).map(({ text }) => text);

describe('The caption of a figure that floats into another chapter', () => {
  const lamp = [block('heading', 'Lamp', 2), block('paragraph', 'The lamp is green.', 2)];
  const valve = (text: string) => [block('heading', 'Valve', 1), block('paragraph', text, 1)];

  it('stands at the end of the chapter that refers to it, before or behind its own', () => {
    const figures = 'See figures 1.2 and 1.3.';
    const captions = [
      block('paragraph', 'Figure 1.3: The valve', 2),
      block('paragraph', 'Fig. 1.2. The tap', 2),
    ];
    const moved = ['Figure 1.3: The valve', 'Fig. 1.2. The tap'];
    assert.deepEqual(textsOf([...valve(figures), ...lamp, ...captions]), [
      ...['Valve', figures, ...moved],
      ...['Lamp', 'The lamp is green.'],
    ]);
    assert.deepEqual(textsOf([...lamp, ...captions, ...valve(figures)]), [
      ...['Lamp', 'The lamp is green.'],
      ...['Valve', figures, ...moved],
    ]);
  });

  const staying: Record<string, Block[]> = {
    'its own chapter refers to it, too': [
      ...[...valve('See Abb. 3.'), ...lamp, block('item', '- As in Abbildung 3', 2)],
      block('paragraph', 'Abb. 3: Das Ventil', 2),
    ],
    'no chapter refers to it': [
      ...[...valve('See figure 13.'), ...lamp, block('paragraph', 'Figure 3: The valve', 2)],
    ],
    'the chapter that refers to it is far away': [
      ...[...valve('See figure 3.'), ...lamp, block('paragraph', 'Figure 3: The valve', 7)],
    ],
    'its chapter has nothing else': [
      ...[...valve('See figure 3.'), block('heading', 'Lamp', 2)],
      block('paragraph', 'Figure 3: The valve', 2),
    ],
    'it is a sentence': [
      ...[...valve('See figure 3.'), ...lamp, block('paragraph', 'Figure 3 shows it.', 2)],
    ],
  };
  for (const [where, blocks] of Object.entries(staying)) {
    it(`stays where ${where}`, () => {
      assert.deepEqual(placeCaptions(blocks), blocks);
    });
  }
});
