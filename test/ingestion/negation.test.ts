import assert from 'node:assert/strict';
import { isSupportedBy } from '../../src/ingestion/worker/make-entries.js';

describe('A text that its source supports', () => {
  const source = `The pump is waterproof. Do not open the lid while it runs, but press the red
button first. The filter never needs oil. The cable can be used without an adapter. See no. 4 for tools.`;
  const quelle = `Die Pumpe ist wasserdicht. Öffnen Sie den Deckel nicht, solange sie läuft. Der Filter
braucht kein Öl. Das Kabel wird ohne Adapter benutzt, aber nur im Haus.`;
  const fuente = `La bomba es impermeable. No abra la tapa durante la marcha. El filtro nunca necesita
aceite. El cable se usa sin adaptador.`;

  const turned: [string, string][] = [
    [source, 'The pump is not waterproof.'],
    [source, "The pump isn't waterproof."],
    [source, 'The pump isn’t waterproof.'],
    [source, 'Open the lid while it runs.'],
    [source, 'Do not press the red button first.'],
    [source, 'The filter needs oil.'],
    [source, 'The cable can be used with an adapter.'],
    [source, 'The pump is waterproof. The filter needs oil.'],
    [quelle, 'Die Pumpe ist nicht wasserdicht.'],
    [quelle, 'Öffnen Sie den Deckel, solange sie läuft.'],
    [quelle, 'Der Filter braucht Öl.'],
    [quelle, 'Das Kabel wird mit Adapter benutzt.'],
    [fuente, 'La bomba no es impermeable.'],
    [fuente, 'Abra la tapa durante la marcha.'],
    [fuente, 'El filtro necesita aceite.'],
    [fuente, 'El cable se usa con adaptador.'],
  ];
  for (const [from, text] of turned) {
    it(`does not negate it: ${text}`, () => assert.equal(isSupportedBy(from, text), false));
  }

  const kept: [string, string][] = [
    [source, 'The pump is waterproof.'],
    [source, 'Never open the lid while it runs.'],
    [source, 'Press the red button first.'],
    [source, 'Press the red button first, and do not open the lid while it runs.'],
    [source, 'The filter needs no oil.'],
    [source, 'The cable can be used without an adapter.'],
    [source, 'See no. 4 for tools.'],
    ['It is not only fast but also quiet.', 'It is fast, and quiet.'],
    [source, source],
    [quelle, 'Der Filter braucht niemals Öl.'],
    [quelle, 'Das Kabel wird ohne Adapter benutzt.'],
    [quelle, quelle],
    [fuente, 'El filtro no necesita aceite.'],
    [fuente, fuente],
  ];
  for (const [from, text] of kept) {
    it(`can reorder it: ${text.slice(0, 60)}`, () => assert.equal(isSupportedBy(from, text), true));
  }
});
