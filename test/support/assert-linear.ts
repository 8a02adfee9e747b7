import assert from 'node:assert/strict';

/** Processor time of this process in milliseconds: what else the machine does, does not count. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Fails where eight times as much takes more than 30 times the processor time: of quadratic work it is 64 times. */
export function assertLinear(work: (size: number) => void, size: number): void {
  const least = (size: number) =>
    Math.min(
      ...[1, 2, 3].map(() => {
        const began = processorTime();
        work(size);
        return processorTime() - began;
      }),
    );
  // Less than a few milliseconds is chance.
  const few = Math.max(least(size / 8), 3);
  const many = least(size);
  assert.ok(many < 30 * few, `${many} ms for ${size}, ${few} ms for an eighth`);
}
