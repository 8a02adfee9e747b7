import { gzipSync } from 'node:zlib';
import type { Fault } from './faults.js';
import type { WireRequest } from './send.js';

/** The request with a fault of the whole request; undefined if it has no such part. */
export function breakWire(
  wire: WireRequest,
  { kind, pick }: Extract<Fault, { where: 'wire' }>,
): WireRequest | undefined {
  switch (kind) {
    case 'method':
      return { ...wire, method: ['PATCH', 'TRACE', 'PROPFIND', 'PURGE'][pick % 4] ?? 'PATCH' };
    case 'percent':
      return {
        ...wire,
        path: `${wire.path.replace(/\?.*/, '')}${['%', '%zz', '%ff%fe', '/%c0%ae'][pick % 4] ?? ''}`,
      };
    case 'long_path':
      return { ...wire, path: `${wire.path.replace(/\?.*/, '')}/${'z'.repeat(10_000)}` };
    case 'repeated':
      return repeated(wire);
    default:
      return wire.body === undefined
        ? undefined
        : { ...wire, ...brokenBody(wire, wire.body, kind) };
  }
}

function repeated(wire: WireRequest): WireRequest | undefined {
  const [, first] = /\?([^&]+)/.exec(wire.path) ?? [];
  return first === undefined ? undefined : { ...wire, path: `${wire.path}&${first}` };
}

type BodyFault = Exclude<
  Extract<Fault, { where: 'wire' }>['kind'],
  'method' | 'percent' | 'long_path' | 'repeated'
>;

function brokenBody(
  { headers }: WireRequest,
  body: Buffer,
  kind: BodyFault,
): Pick<WireRequest, 'body' | 'headers'> {
  const text = body.toString();
  const inFirstText = (inserted: Buffer) => {
    const at = text.indexOf('":"') + 3;
    if (at < 3) return Buffer.concat([Buffer.from('{"'), inserted, Buffer.from('":1}')]);
    const start = Buffer.byteLength(text.slice(0, at));
    return Buffer.concat([body.subarray(0, start), inserted, body.subarray(start)]);
  };
  switch (kind) {
    case 'truncated':
      return { headers, body: body.subarray(0, Math.max(1, body.length - 2)) };
    case 'invalid_utf8':
      return { headers, body: inFirstText(Buffer.from([0xc3, 0x28, 0xff])) };
    case 'surrogate':
      return { headers, body: inFirstText(Buffer.from('\\ud800')) };
    case 'deep':
      return { headers, body: Buffer.from(`{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`) };
    case 'content_type':
      return { headers: { ...headers, 'content-type': 'text/plain' }, body };
    case 'no_body':
      return { headers, body: Buffer.alloc(0) };
    case 'list':
      return { headers, body: Buffer.from(`[${text}]`) };
    case 'big':
      return { headers, body: Buffer.from(`{"a":"${'b'.repeat(1_100_000)}"}`) };
    case 'compressed':
      return {
        headers: { ...headers, 'content-encoding': 'gzip' },
        body: gzipSync(Buffer.alloc(5_000_000)),
      };
    case 'prototype':
      return { headers, body: Buffer.from('{"__proto__":{"x":1},"constructor":{"prototype":{}}}') };
  }
}
