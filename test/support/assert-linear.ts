import assert from 'node:assert/strict';

/** Processor time of this process in milliseconds. Other processes do not count. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Fails if eight times the size takes more than 30 times the processor time. Quadratic work takes 64 times. */
export function assertLinear(work: (size: number) => void, size: number): void {
  const least = (size: number) =>
    Math.min(
      ...[1, 2, 3].map(() => {
        const began = processorTime();
        work(size);
        return processorTime() - began;
      }),
    );
  // Times below a few milliseconds are too inaccurate.
  const few = Math.max(least(size / 8), 3);
  const many = least(size);
  assert.ok(many < 30 * few, `${many} ms for ${size}, ${few} ms for an eighth`);
}
