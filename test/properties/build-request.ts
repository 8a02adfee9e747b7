import type { z } from 'zod';
import type { Operation } from '../../src/platform/http/operation.js';
import type { Caller } from './callers.js';
import type { Draft } from './draft.js';
import { breakField } from './faults.js';
import { Given, Ref, type Owner } from './naming.js';
import type { WireRequest } from './send.js';
import { signInCodeOf } from './world-sign-on.js';
import { breakWire } from './wire-faults.js';
import type { Side, World } from './world.js';

/** A request as it is sent, with the facts that the checks need. */
export interface BuiltRequest {
  wire: WireRequest;
  params: Record<string, string>;
  /** The owners of the things in the path. */
  owners: Owner[];
  query: Record<string, string>;
  body: unknown;
  /** The paths of the invalid fields. */
  problems: string[];
  /** Whether the whole request has a fault. */
  broken: boolean;
}

const garbage = [
  ...['0', '-1', '1.5', '1e3', 'null', 'NaN', ' ', '%', '..', "' or 1=1 --", '9007199254740993'],
  ...['99999999999999999999999', 'é', '测', '😀', '\u0000', 'x'.repeat(101), 'x'.repeat(5000)],
  ...['00000000-0000-0000-0000-00000000000g', '[object Object]', '*', '?', '#', 'a/b', '\\'],
];

const unknownThings: Partial<Record<string, string>> = {
  ...{ domain: 'nobody.example', url: 'https://nobody.example/docs', email: 'nobody@mail.example' },
  canary: 'kanarizzzzzz',
};

/** Resolves the names of a draft in the world, applies its fault, and returns the HTTP request. */
export function buildRequest(operation: Operation, draft: Draft, world: World): BuiltRequest {
  const { caller, reader, fault } = draft;
  const own = world.sides[reader.side];
  const foreign = world.sides[reader.side === 0 ? 1 : 0];
  const resolve = (value: unknown): unknown => {
    if (value instanceof Ref) return resolveRef(value, own, foreign);
    if (value instanceof Given) return resolveGiven(value, reader, own);
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, resolve(child)]));
  };
  const fieldFault = fault === undefined || fault.where === 'wire' ? undefined : fault;
  const isForm = operation.upload !== undefined;
  let query = written(resolve(draft.query) as Record<string, unknown>);
  let body = resolve(draft.body);
  if (fieldFault?.where === 'query') query = written(breakField(query, fieldFault, true));
  if (fieldFault?.where === 'body' && isFields(body)) body = breakField(body, fieldFault, isForm);
  const params = written(resolve(draft.params) as Record<string, unknown>);
  const content = isForm ? formOf(operation, draft, body, world) : jsonOf(body);
  const given = written(resolve(draft.headers) as object);
  const wire: WireRequest = {
    ...content,
    method: operation.method.toUpperCase(),
    path: pathOf(operation.path, params, query),
    headers: {
      ...content.headers,
      ...pageOf(operation, caller, world),
      ...caller.headers,
      ...given,
    },
  };
  const heeded = operation.ignoresQuery === true ? {} : query;
  const broken = fault?.where === 'wire' ? breakWire(wire, fault) : undefined;
  return {
    wire: broken ?? wire,
    params,
    owners: Object.values(draft.params).flatMap((ref) => (ref instanceof Ref ? [ref.owner] : [])),
    query,
    body,
    problems: [
      ...unstorable(params),
      ...unstorable(heeded),
      ...unstorable(body),
      ...problemsOf(operation.params, params),
      ...problemsOf(operation.query, query),
      ...(operation.query === undefined ? Object.keys(heeded) : []),
      ...problemsOf(
        operation.upload?.fields ?? operation.body,
        isForm ? written(body as object) : body,
      ),
    ],
    broken: broken !== undefined || (isForm && draft.file !== 'pdf'),
  };
}

/** Widget operations are called by a page of the app. */
function pageOf({ access }: Operation, { side }: Caller, world: World): Record<string, string> {
  const url = access === 'widget' ? world.sides[side].things.url[0] : undefined;
  return url === undefined ? {} : { origin: new URL(String(url)).origin };
}

function resolveRef({ kind, owner, pick }: Ref, own: Side, foreign: Side): unknown {
  const things = (owner === 'foreign' ? foreign : own).things[kind];
  const thing = things[pick % Math.max(things.length, 1)];
  if (thing === undefined) throw new Error(`The world has no ${kind}.`);
  if (owner === 'garbage') return garbage[pick % garbage.length];
  if (owner !== 'missing') return thing;
  if (typeof thing === 'number') return 987_654_321;
  return unknownThings[kind] ?? '00000000-0000-4000-8000-000000000000';
}

function resolveGiven({ name }: Given, { identity, refreshToken }: Caller, own: Side): string {
  const all = Object.values(own.people);
  const person =
    identity.kind === 'person' ? all.find(({ id }) => id === identity.userId) : own.people.user;
  switch (name) {
    case 'refreshToken':
      return refreshToken ?? 'none';
    case 'key':
      return own.keys.public;
    case 'secret':
      return own.secret;
    case 'ssoState':
      return own.ssoState;
    case 'ssoCode':
      return signInCodeOf(person);
    case 'linkedToken':
    case 'newToken':
      return own.userTokens[name];
    default:
      return person?.[name] ?? '';
  }
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Fields as text, for query strings, paths and headers. */
function written(fields: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields as Record<string, unknown>)
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
}

function pathOf(template: string, params: Record<string, string>, query: Record<string, string>) {
  const path = template.replaceAll(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  );
  const search = new URLSearchParams(query).toString();
  return search === '' ? path : `${path}?${search}`;
}

function jsonOf(body: unknown): Pick<WireRequest, 'headers'> & { body?: Buffer } {
  if (body === undefined) return { headers: {} };
  return {
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(body)),
  };
}

const boundary = '----assistant-property';

function formOf({ upload }: Operation, { file }: Draft, fields: unknown, { pdf }: World) {
  const parts = Object.entries(written(fields as object)).map(([name, value]) =>
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    ),
  );
  if (file !== 'none') {
    const field = file === 'other_field' ? 'other' : upload?.file;
    const bytes = { pdf, other_field: pdf, text: Buffer.from('no PDF'), empty: Buffer.alloc(0) }[
      file
    ];
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${field}"; filename="a.pdf"\r\nContent-Type: application/pdf\r\n\r\n`;
    parts.push(Buffer.from(head), Buffer.from(bytes), Buffer.from('\r\n'));
  }
  const body = Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]);
  return { headers: { 'content-type': `multipart/form-data; boundary=${boundary}` }, body };
}

/** Fields with texts that no database can store. */
function unstorable(value: unknown): string[] {
  if (!isFields(value)) return [];
  return Object.entries(value).flatMap(([name, text]) =>
    typeof text === 'string' && text.includes('\u0000') ? [name] : [],
  );
}

function problemsOf(schema: z.ZodType | undefined, value: unknown): string[] {
  const parsed = schema?.safeParse(value);
  if (parsed === undefined || parsed.success) return [];
  return parsed.error.issues.flatMap((issue) => {
    const path = issue.path.map(String);
    return issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => [...path, key].join('.'))
      : [path.join('.')];
  });
}
