import assert from 'node:assert/strict';
import { readPerson, type Claims } from '../../../src/accounts/sso/read-person.js';

const provider = { roleClaim: null, roleMapping: [], defaultRole: null, trustsEmail: false };
const read = (claims: Claims, more: Claims = {}) =>
  readPerson(provider, { sub: 'ada', ...claims }, more);

describe('The claims of an identity provider', () => {
  it('are refused if the subject is empty, too long or not storable', () => {
    for (const sub of ['', 'x'.repeat(256), 'ada\0', '\ud800', '\udc00ada']) {
      assert.throws(() => read({ sub }), /subject/, JSON.stringify(sub));
    }
    for (const sub of ['Ada', 'f:1:jürgen', 'auth0|1 2', '\ud83d\ude00', 'x'.repeat(255)]) {
      assert.equal(read({ sub }).subject, sub);
    }
  });

  it('verify only an address from the same source', () => {
    const [email, other] = ['ada@acme.example', 'other@acme.example'];
    const verified = (claims: Claims, more: Claims = {}) => {
      const { email, emailVerified } = read(claims, more);
      return [email, emailVerified];
    };
    assert.deepEqual(verified({ email, email_verified: true }), [email, true]);
    assert.deepEqual(verified({}, { email, email_verified: true }), [email, true]);
    assert.deepEqual(verified({ email }, { email: other, email_verified: true }), [email, false]);
    assert.deepEqual(verified({ email_verified: true }, { email: other }), [other, false]);
    const denied = { email, email_verified: false };
    assert.deepEqual(verified({ email_verified: true }, denied), [email, false]);
  });
});
