import assert from 'node:assert/strict';
import { splitSentences } from '../../src/language/sentences.js';

const split = (text: string) => splitSentences(text).map((sentence) => sentence.text);

/** Sentences, written with | between them. */
const prose = [
  'Press OK. | The server starts.',
  'Is it on? | Yes! | Then go on… | Done.',
  'See e.g. the manual, i.e. Chapter 3. | It helps.',
  'Dr. Smith and Mr. J. R. Brown came. | They left.',
  'See Fig. 3 and No. 7. | The answer is no. | Next.',
  'It was built (c. 1455) in Ghent. | Then it burnt.',
  'Open config.yaml in version 3.5. | Then run app.exe now.',
  'He said "Stop." | Then he left.',
  '(It is off.) | Turn it on.',
  'We use tools, cables, etc. | Then we close.',
  'Das gilt z. B. für Server, d. h. Rechner. | Danach geht es weiter.',
  'Am 3. Oktober ist Feiertag. | Im 19. Jahrhundert nicht.',
  'Bis zu max. Anzahl bzw. Größe inkl. Zubehör, vgl. Kap. 4. | Ende.',
  'Siehe Abb. 2 und Nr. 5. | Es gibt 12. | Mehr nicht.',
  'Use cables, p. ej. Ethernet. | Luego reinicie.',
  'El Sr. García y la Dra. López llegaron. | ¿Cuándo? | ¡Ayer!',
  'Vea la pág. 12 y el art. 3. | Fin.',
  '请重启。 | 然后登录。',
];

describe('Splitting a text into sentences', () => {
  for (const example of prose) {
    it(`returns these sentences: ${example}`, () => {
      const expected = example.split(' | ');
      assert.deepEqual(split(expected.join(' ')), expected);
    });
  }

  it('keeps each list item, table row, heading and code block as one unit', () => {
    const text = [
      '# Title. Of it',
      'First line',
      'goes on. Second.',
      '',
      '- one. two.',
      '- three',
      '1. Open it.',
      '2. Close it.',
      '| a. b | c |',
      '|---|---|',
      '```sh',
      'run. Now',
      '',
      'again',
      '```',
      'After.',
    ].join('\n');
    assert.deepEqual(split(text), [
      '# Title. Of it',
      'First line\ngoes on.',
      'Second.',
      '- one. two.',
      '- three',
      '1. Open it.',
      '2. Close it.',
      '| a. b | c |',
      '|---|---|',
      '```sh\nrun. Now\n\nagain\n```',
      'After.',
    ]);
  });

  it('returns the positions of the sentences in the text', () => {
    const text = '  One.\r\n\r\n Two. Three \n';
    for (const { text: sentence, start, end } of splitSentences(text)) {
      assert.equal(sentence, text.slice(start, end));
    }
    assert.deepEqual(split(text), ['One.', 'Two.', 'Three']);
  });

  it('returns nothing for an empty text', () => {
    assert.deepEqual(split(''), []);
    assert.deepEqual(split(' \n\t\n'), []);
  });

  it('loses no character except white space, even in repeated punctuation', () => {
    for (const unit of ['.', '!', '"', '1. ', '. ', '```\n', '- ', '\n', 'z. B. ', ')']) {
      const text = unit.repeat(20_000);
      assert.equal(split(text).join('').replace(/\s/g, ''), text.replace(/\s/g, ''), unit);
    }
  });
});
