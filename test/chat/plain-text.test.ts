import assert from 'node:assert/strict';
import { plainText } from '../../src/chat/markdown/plain-text.js';

describe('An answer as plain text', () => {
  const cases: Record<string, [string, string]> = {
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
  };
  for (const [what, [markdown, text]] of Object.entries(cases))
    it(`is written without the Markdown signs of ${what}`, () => {
      assert.equal(plainText(markdown), text);
    });

  it('keeps a text without Markdown signs as it is', () => {
    const text = 'Im Keller.\n.\n3 * 4 = 12 [2] a_b_c.';
    assert.equal(plainText(text), text);
  });
});
