import fc from 'fast-check';
import type { Operation } from '../../src/platform/http/operation.js';
import type { Caller } from './callers.js';
import { anyFault, type Fault } from './faults.js';
import { kindOfParameter, makers, type Maker } from './makers.js';
import { namingFor, refTo, type Owner } from './naming.js';
import { outcomeOf } from './outcome.js';
import { inputSchema, valueOf, type Schema } from './schema-arbitrary.js';

/** A request before its names are resolved. fast-check generates, shrinks and repeats it. */
export interface Draft {
  /** The caller whose credential is sent. */
  caller: Caller;
  /** The reader of the answer: the caller, or the person who signs in with the body. */
  reader: Caller;
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  body: unknown;
  /** The content of an upload's file field. */
  file: 'pdf' | 'text' | 'empty' | 'none' | 'other_field';
  headers: Record<string, unknown>;
  fault: Fault | undefined;
}

/** The name of an operation: `get /api/knowledge/:id`. */
export function nameOf({ method, path }: Pick<Operation, 'method' | 'path'>): string {
  return `${method} ${path}`;
}

/** Requests that should succeed: by callers with the right, about things of their own. */
export function soundDrafts(operation: Operation, callers: Caller[]): fc.Arbitrary<Draft> {
  return drafts(operation, callers, whoMay(operation, callers), ['own'], fc.constant(undefined));
}

/** Requests of all kinds: valid and broken, by any caller, about any or missing things. */
export function anyDrafts(operation: Operation, callers: Caller[]): fc.Arbitrary<Draft> {
  const allowed = whoMay(operation, callers);
  const whole = fc.constant(undefined);
  return fc.oneof(
    { arbitrary: soundDrafts(operation, callers), weight: 3 },
    {
      arbitrary: drafts(operation, callers, callers, ['own', 'foreign', 'missing'], whole),
      weight: 4,
    },
    {
      arbitrary: drafts(operation, callers, allowed, ['foreign', 'missing', 'garbage'], whole),
      weight: 3,
    },
    { arbitrary: drafts(operation, callers, allowed, ['own'], anyFault), weight: 5 },
  );
}

/** Valid requests of one caller, with the right or without, about things of both organizations and missing things. */
export function draftsOf(
  operation: Operation,
  callers: Caller[],
  caller: Caller,
): fc.Arbitrary<Draft> {
  const owners = ['own', 'foreign', 'missing'] as const;
  return drafts(operation, callers, [caller], owners, fc.constant(undefined));
}

/** The callers whom the rules allow. An operation that checks no credential allows all. */
function whoMay({ access }: Operation, callers: Caller[]): Caller[] {
  return callers.filter(({ identity }) => outcomeOf(access, identity) === 'allowed');
}

function signsIn({ access, path }: Operation): boolean {
  return access === 'anyone' || path === '/widget/login';
}

function drafts(
  operation: Operation,
  all: Caller[],
  callers: Caller[],
  owners: readonly Owner[],
  fault: fc.Arbitrary<Fault | undefined>,
): fc.Arbitrary<Draft> {
  const maker: Maker = makers[nameOf(operation)] ?? {};
  const naming = namingFor(owners);
  const fields = (schema: Schema) =>
    valueOf(schema, naming) as fc.Arbitrary<Record<string, unknown>>;
  const names = [...operation.path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '');
  const named = (): fc.Arbitrary<Record<string, unknown>> =>
    fc.record(
      Object.fromEntries(
        names.map((name) => [name, refTo(kindOfParameter(operation.path, name), owners)]),
      ),
    );
  const declaredBody = operation.upload?.fields ?? operation.body;
  const sessions = all.filter(({ refreshToken }) => refreshToken !== undefined);
  const caller = fc.constantFrom(...callers);
  const shape = fc.record({
    caller,
    reader: signsIn(operation) ? fc.constantFrom(...sessions) : fc.constant(undefined),
    params: maker.params?.(owners) ?? named(),
    query:
      maker.query ??
      (operation.query === undefined ? fc.constant({}) : fields(inputSchema(operation.query))),
    body:
      maker.body?.(owners) ??
      (declaredBody === undefined ? fc.constant(undefined) : fields(inputSchema(declaredBody))),
    file: fc.oneof(
      { arbitrary: fc.constant('pdf' as const), weight: 6 },
      { arbitrary: fc.constantFrom('text', 'empty', 'none', 'other_field'), weight: 1 },
    ),
    headers: maker.headers ?? fc.constant({}),
    fault,
  });
  return shape.map((draft) => ({ ...draft, reader: draft.reader ?? draft.caller }));
}
