import fc from 'fast-check';
import type { Naming, Schema } from './schema-arbitrary.js';
import type { Kind } from './world-builder.js';

/** The owner of a thing that a request names: the caller's organization, the other one, or none. */
export type Owner = 'own' | 'foreign' | 'missing' | 'garbage';

/** A thing by its kind and position. Its id is set when the request is sent, because ids differ between runs. */
export class Ref {
  constructor(
    readonly kind: Kind,
    readonly owner: Owner,
    readonly pick: number,
  ) {}
}

/** A credential of the caller's side. The report of a failure leaves out how it was made. */
export class Given {
  constructor(
    readonly name:
      | ('refreshToken' | 'email' | 'password' | 'code' | 'key' | 'secret')
      | ('linkedToken' | 'newToken' | 'ssoState' | 'ssoCode'),
  ) {}
}

export function refTo(kind: Kind, owners: readonly Owner[]): fc.Arbitrary<Ref> {
  return fc
    .tuple(fc.constantFrom(...owners), fc.nat(63))
    .map(([owner, pick]) => new Ref(kind, owner, pick));
}

/** Fields that name things, wherever they occur. */
const kindOfField: Record<string, Kind> = {
  app_id: 'app',
  view_id: 'view',
  user_id: 'user',
  email: 'email',
  conversationId: 'conversation',
  conversation_id: 'conversation',
  entry_ids: 'draft',
  url: 'url',
};

const someHost = fc.nat(99).map((number) => `new-${number}.example`);
const path = fc.constantFrom(
  '/',
  '/invoices/:id',
  '/docs/*',
  '/docs/a%2Fb',
  '/:x/:y',
  '/é/',
  '*',
  'x',
);

/** Values for fields whose schema is too general. `owners` are the owners of the named things. */
export function namingFor(owners: readonly Owner[]): Naming {
  return (name, schema) => {
    if (!isLeaf(schema)) return undefined;
    if (name === 'page') return fc.constantFrom(1, 1, 1, 2, 3, 1_000_000);
    if (name === 'limit') return fc.constantFrom(100, 20, 5, 1);
    if (name === 'domain' || name === 'host')
      return fc.oneof(refTo('domain', owners), someHost, someHost);
    if (name === 'url_pattern' || name === 'view_path') return orNull(path, schema);
    if (name === 'path') return fc.nat(9999).map((number) => `/new/${number}/:id`);
    if (name === 'q')
      return fc.oneof(
        refTo('canary', ['own', 'foreign']),
        fc.constantFrom('oiling', 'pump "', '%'),
      );
    if (name === 'password' || name === 'new_password')
      return fc.constantFrom('a long enough secret', 'another long secret', 'short');
    if (name === 'email')
      return fc.oneof(
        refTo('email', owners),
        fc.nat(99).map((n) => `new-${n}@mail.example`),
      );
    const kind = kindOfField[name];
    if (kind === undefined) return undefined;
    if (schema.type === 'array') return fc.array(refTo(kind, owners), { maxLength: 2 });
    if (kind === 'url' && schema.maxLength !== undefined && schema.maxLength < 100)
      return undefined;
    return orNull(refTo(kind, owners), schema);
  };
}

function isLeaf({ type, anyOf, enum: choices, properties }: Schema): boolean {
  return (
    choices === undefined && properties === undefined && (type !== undefined || anyOf !== undefined)
  );
}

function orNull<T>(value: fc.Arbitrary<T>, { anyOf, type }: Schema): fc.Arbitrary<T | null> {
  const nullable =
    anyOf?.some((option) => option.type === 'null') === true ||
    (Array.isArray(type) && type.includes('null'));
  return nullable ? fc.option(value, { freq: 5 }) : value;
}
