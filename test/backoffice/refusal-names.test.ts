import assert from 'node:assert/strict';
import { tellRefusal } from '../../src/backoffice/texts/refusals.js';

describe('The sentence of a refusal', () => {
  it('takes no field or reason for a property that every object has', () => {
    const texts = { reasons: { unknown_field: 'unbekannt' }, codes: {}, fields: {} };
    const reason = { is: 'unknown_field' };
    const problems = [{ path: 'constructor', message: 'unknown key', reason }];
    assert.equal(tellRefusal(texts, { code: 'invalid_request', problems }), 'unbekannt');
    const odd = { code: 'invalid_request', reason: { is: 'constructor' } } as const;
    assert.equal(tellRefusal(texts, odd), undefined);
  });
});
