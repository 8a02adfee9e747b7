import { parentPort, workerData } from 'node:worker_threads';
import {
  Progress,
  type FromThread,
  type ThreadData,
  type ToThread,
} from '../../../src/documents/threads/protocol.js';

/** (module (func (export "spin") (loop br 0))) */
const spinning = Uint8Array.from(
  Buffer.from(
    '0061736d01000000010401600000030201000708010473706' + '96e00000a0901070003400c000b0b',
    'hex',
  ),
);

/** The part of WebAssembly that this file uses. Only the types of browsers declare it. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { exports: { spin(): void } };
};

/** Ways in which a thread gets stuck or ends. The file number of the task chooses one. */
export const ways = [
  'answers',
  'loops',
  'backtracks',
  'spins in WebAssembly',
  'fills buffers',
  'fills its heap',
  'grows one array',
  'ends itself',
  'throws',
  'waits',
  'waits for a long time',
] as const;

export type Way = (typeof ways)[number];

const kept: unknown[] = [];

function misbehave(way: Way): void {
  switch (way) {
    case 'answers':
      return;
    case 'loops':
      for (;;);
    case 'backtracks':
      /^(a+)+$/.test('a'.repeat(60) + 'b');
      return;
    case 'spins in WebAssembly':
      new WebAssembly.Instance(new WebAssembly.Module(spinning)).exports.spin();
      return;
    case 'fills buffers':
      // Two gigabytes at most, in case nothing stops it.
      for (let count = 0; count < 2048; count++) kept.push(new Uint8Array(1 << 20).fill(1));
      return;
    case 'fills its heap':
      for (;;) kept.push({ words: ['many', kept.length] });
    case 'grows one array': {
      const numbers: number[] = [];
      for (;;) numbers.push(1.5);
    }
    case 'waits':
    case 'waits for a long time':
      // Long enough for a second thread to start and answer.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, way === 'waits' ? 300 : 20_000);
      return;
    case 'ends itself':
      process.exit(3);
    case 'throws':
      setImmediate(() => {
        throw new Error('a bug in a callback');
      });
  }
}

const port = parentPort;
port?.on('message', (message: ToThread) => {
  if (message.kind !== 'task') return;
  if (message.task.kind === 'read') {
    // The second page waits for text recognition. The third one takes for ever.
    const progress = new Progress((workerData as ThreadData).progress);
    progress.addPage(true, 0);
    progress.addPage(false, 0);
    for (;;);
  }
  if (message.task.kind !== 'open') return;
  const way = ways[message.task.file] ?? 'answers';
  misbehave(way);
  if (way === 'throws') return;
  const done: FromThread = { kind: 'done', id: message.id, memory: 0, result: { pageCount: 1 } };
  port.postMessage(done);
});
