import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';

type Claims = Record<string, unknown>;

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
const decode = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString()) as Claims;

/** The parts of a token, to be put together otherwise. */
function partsOf(token: string) {
  const [head = '', claims = '', mark = ''] = token.split('.');
  return { head, mark, kid: decode(head)['kid'], claims: decode(claims) };
}

/** What an attacker makes of a token of its own, to be taken for another or for longer; `other` is a victim’s. */
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
    'a token with the signature of another',
    (own, other) => {
      const { head, mark } = partsOf(own);
      return Promise.resolve([head, encode(partsOf(other).claims), mark].join('.'));
    },
  ],
  [
    'a token with alg none',
    (_, other) => {
      const { claims, kid } = partsOf(other);
      return Promise.resolve(`${encode({ alg: 'none', kid })}.${encode(claims)}.`);
    },
  ],
  [
    'a token with another algorithm over the same claims',
    (own) => {
      const { claims, mark, kid } = partsOf(own);
      return Promise.resolve([encode({ kid, alg: 'HS512' }), encode(claims), mark].join('.'));
    },
  ],
  [
    'a token signed by the attacker, under the name of our key',
    (_, other) => {
      const { claims, kid } = partsOf(other);
      const secret = Buffer.from('an attacker’s own secret, long enough for HS256');
      return new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256', kid: String(kid) })
        .sign(secret);
    },
  ],
  [
    'a token under the name of a key that there is not',
    (own) => {
      const { claims, mark } = partsOf(own);
      const head = encode({ alg: 'HS256', kid: randomUUID() });
      return Promise.resolve([head, encode(claims), mark].join('.'));
    },
  ],
  [
    'a token without the name of a key',
    (own) => {
      const { claims, mark } = partsOf(own);
      return Promise.resolve([encode({ alg: 'HS256' }), encode(claims), mark].join('.'));
    },
  ],
];
