import assert from 'node:assert/strict';
import { tellRefusal } from '../../src/backoffice/texts/refusals.js';

describe('The sentence of a refusal', () => {
  it('ignores fields and reasons with the names of built-in properties', () => {
    const texts = { reasons: { unknown_field: 'unbekannt' }, codes: {}, fields: {} };
    const reason = { is: 'unknown_field' };
    const problems = [{ path: 'constructor', message: 'unknown key', reason }];
    assert.equal(tellRefusal(texts, { code: 'invalid_request', problems }), 'unbekannt');
    const odd = { code: 'invalid_request', reason: { is: 'constructor' } } as const;
    assert.equal(tellRefusal(texts, odd), undefined);
  });
});
