import assert from 'node:assert/strict';
import { formsOf } from '../../src/language/word-forms.js';

describe('The forms of a word', () => {
  const has = (word: string, forms: string[]) => {
    const found = formsOf(word);
    const missing = forms.filter((form) => !found.includes(form));
    assert.deepEqual(missing, [], `${word}: ${found.join(' ')}`);
  };
  const hasNone = (word: string, others: string[]) => {
    const found = formsOf(word);
    assert.deepEqual(
      others.filter((other) => found.includes(other)),
      [],
      word,
    );
  };

  it('are those with its stem in English, Spanish or German', () => {
    has('refunds', ['refund', 'refunded', 'refunding']);
    has('refunding', ['refund', 'refunds']);
    has('policy', ['policies']);
    has('policies', ['policy']);
    has('Warranties', ['warranty']);
    has('invoices', ['invoice', 'invoicing', 'invoiced']);
    has('Rückerstattungen', ['rückerstattung']);
    has('rueckerstattung', ['rückerstattung']);
    has('Rechnungen', ['rechnung']);
    assert.deepEqual(formsOf('Rechnung').includes('rechnungen'), false, 'found by its beginning');
    has('Größen', ['größe', 'größer']);
    has('devoluciones', ['devolución']);
    has('facturas', ['factura', 'facturar']);
  });

  it('are no other words with the same beginning', () => {
    hasNone('server', ['service', 'services']);
    hasNone('police', ['policy', 'policies']);
    hasNone('center', ['century']);
    assert.deepEqual(formsOf('X200'), []);
    assert.deepEqual(formsOf('日本'), []);
  });

  it('are few, whatever the word', () => {
    for (const word of ['organizations', 'erstattungsfähigen', 'administraciones', 'a'.repeat(200)])
      assert.ok(formsOf(word).length < 60, `${word}: ${formsOf(word).length}`);
  });
});
