import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';

type Claims = Record<string, unknown>;

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
const decode = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString()) as Claims;

/** The parts of a token, to combine them differently. */
function partsOf(token: string) {
  const [head = '', claims = '', mark = ''] = token.split('.');
  return { head, mark, kid: decode(head)['kid'], claims: decode(claims) };
}

/** Tokens that an attacker makes of its own token, to pass as another person or for longer; `other` is a victim’s. */
export const forgeries: [name: string, forge: (own: string, other: string) => Promise<string>][] = [
  [
    'a token whose payload was altered',
    (own, other) => {
      const { head, claims, mark } = partsOf(own);
      const sub = partsOf(other).claims['sub'];
      return Promise.resolve([head, encode({ ...claims, sub }), mark].join('.'));
    },
  ],
  [
    'a token with another token’s signature',
    (own, other) => {
      const { head, mark } = partsOf(own);
      return Promise.resolve([head, encode(partsOf(other).claims), mark].join('.'));
    },
  ],
  [
    'an unsigned token (alg “none”)',
    (_, other) => {
      const { claims, kid } = partsOf(other);
      return Promise.resolve(`${encode({ alg: 'none', kid })}.${encode(claims)}.`);
    },
  ],
  [
    'a token with another algorithm in its header',
    (own) => {
      const { claims, mark, kid } = partsOf(own);
      return Promise.resolve([encode({ kid, alg: 'HS512' }), encode(claims), mark].join('.'));
    },
  ],
  [
    'a token with the attacker’s signature and our key id',
    (_, other) => {
      const { claims, kid } = partsOf(other);
      const secret = Buffer.from('an attacker’s own secret, long enough for HS256');
      return new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256', kid: String(kid) })
        .sign(secret);
    },
  ],
  [
    'a token with an unknown key id',
    (own) => {
      const { claims, mark } = partsOf(own);
      const head = encode({ alg: 'HS256', kid: randomUUID() });
      return Promise.resolve([head, encode(claims), mark].join('.'));
    },
  ],
  [
    'a token without a key id',
    (own) => {
      const { claims, mark } = partsOf(own);
      return Promise.resolve([encode({ alg: 'HS256' }), encode(claims), mark].join('.'));
    },
  ],
];
