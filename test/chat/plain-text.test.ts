import assert from 'node:assert/strict';
import { plainText } from '../../src/chat/markdown/plain-text.js';
import { plainExcerpt } from '../../src/chat/view/plain-excerpt.js';

/** For each kind of signs: a text with them, and the text that people read. */
type Cases = Record<string, [markdown: string, text: string]>;

function losesSigns(convert: (markdown: string) => string, cases: Cases): void {
  for (const [what, [markdown, text]] of Object.entries(cases))
    it(`is shown without the Markdown signs of ${what}`, () => {
      assert.equal(convert(markdown), text);
    });
}

describe('An answer as plain text', () => {
  losesSigns(plainText, {
    'emphasis, code and headings': [
      '## Frist\nDie Frist beträgt **24 Monate**, *nicht* `12`.',
      'Frist\n\nDie Frist beträgt 24 Monate, nicht 12.',
    ],
    lists: [
      'So:\n\n1. Öffnen\n2. Prüfen:\n   - das **Sieb**\n   - den Filter',
      'So:\n\n1. Öffnen\n2. Prüfen:\n   - das Sieb\n   - den Filter',
    ],
    'links, and names their addresses': [
      'Siehe [das Handbuch](https://docs.example/a), https://docs.example/b oder [uns](mailto:a@b.example).',
      'Siehe das Handbuch (https://docs.example/a), https://docs.example/b oder uns (a@b.example).',
    ],
    'quotes, code blocks and tables': [
      '> Ja.\n> Nein.\n\n```sh\nls *\n```\n\n| Teil | Preis |\n|---|---|\n| **A** | 3 |\n\n---\n\nEnde',
      '> Ja.\n> Nein.\n\nls *\n\nTeil | Preis\nA | 3\n\nEnde',
    ],
  });

  it('keeps a text without Markdown signs as it is', () => {
    const text = 'Im Keller.\n.\n3 * 4 = 12 [2] a_b_c.';
    assert.equal(plainText(text), text);
  });
});

describe('The excerpt of a source', () => {
  losesSigns(plainExcerpt, {
    'a block of code': [
      'Run: ``` apt install heron ``` as root.',
      'Run: apt install heron as root.',
    ],
    'the language of one': ['Run ```sh apt install heron ``` now', 'Run apt install heron now'],
    'a fence whose end was cut off': ['Run ```sh apt install…', 'Run apt install…'],
    'a fence whose beginning was cut off': [
      '…install heron ``` Then log in.',
      '…install heron Then log in.',
    ],
    'emphasis, code and links': [
      'A **bold** `word` of [the guide](https://docs.example/a), *see* there.',
      'A bold word of the guide, see there.',
    ],
    'nothing of a text without signs': [
      'Costs 3 * 4 = 12 [2] a_b_c.',
      'Costs 3 * 4 = 12 [2] a_b_c.',
    ],
  });
});
