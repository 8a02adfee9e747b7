import fc from 'fast-check';

/** The faults of a field: missing, of another type, unknown, too long, … */
export const fieldFaults = ['missing', 'type', 'unknown', 'long', 'null_byte', 'huge'] as const;

/** The faults of a whole request, which are found before its fields are read. */
export const wireFaults = [
  ...([
    'truncated',
    'invalid_utf8',
    'surrogate',
    'deep',
    'content_type',
    'no_body',
    'list',
  ] as const),
  ...(['big', 'method', 'percent', 'repeated', 'compressed', 'prototype', 'long_path'] as const),
] as const;

export type Fault =
  | { kind: (typeof fieldFaults)[number]; where: 'body' | 'query'; pick: number }
  | { kind: (typeof wireFaults)[number]; where: 'wire'; pick: number };

export const anyFault: fc.Arbitrary<Fault> = fc.oneof(
  fc.record({
    kind: fc.constantFrom(...fieldFaults),
    where: fc.constantFrom('body' as const, 'query' as const),
    pick: fc.nat(63),
  }),
  fc.record({
    kind: fc.constantFrom(...wireFaults),
    where: fc.constant('wire' as const),
    pick: fc.nat(63),
  }),
);

const others = [42, 'text', true, [], {}, null, [[1]], -1, 1.5, '', { id: 1 }];
const hugeNumbers = [1e308, -1e308, 9_007_199_254_740_993, 2 ** 63, -(2 ** 63), 1e21];
const hugeTexts = ['9007199254740993', '99999999999999999999999', '1e400', '-0', 'NaN', 'Infinity'];

/** The fields with a fault in one of them, or unchanged if the fault does not fit. */
export function breakField(
  fields: Record<string, unknown>,
  { kind, pick }: Fault,
  isQuery: boolean,
): Record<string, unknown> {
  const names = Object.keys(fields);
  const name = names[pick % Math.max(names.length, 1)];
  if (kind === 'unknown') return { ...fields, [`unknown_${pick}`]: 'x' };
  if (name === undefined) return fields;
  switch (kind) {
    case 'missing':
      return Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name));
    case 'type':
      return { ...fields, [name]: isQuery ? 'nonsense' : others[pick % others.length] };
    case 'long':
      return { ...fields, [name]: 'y'.repeat(isQuery ? 6000 : 600_000) };
    case 'null_byte':
      return { ...fields, [name]: 'a\u0000b' };
    case 'huge':
      return { ...fields, [name]: (isQuery ? hugeTexts : hugeNumbers)[pick % 6] };
    default:
      return fields;
  }
}
