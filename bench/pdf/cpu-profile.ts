import { z } from 'zod';

const schema = z.object({
  nodes: z.array(
    z.object({
      id: z.number(),
      callFrame: z.object({ functionName: z.string(), url: z.string(), lineNumber: z.number() }),
      children: z.array(z.number()).optional(),
    }),
  ),
  samples: z.array(z.number()),
  /** Microseconds since the sample before. */
  timeDeltas: z.array(z.number()),
});

/** One function as it was called on one path, with the time it took by itself. */
export interface Frame {
  name: string;
  url: string;
  line: number;
  /** Callers from the outermost, by their addresses. */
  callers: readonly string[];
  /** Seconds, without those of the functions that it called. */
  seconds: number;
}

/** Reads what Node writes with --cpu-prof. Throws where it is none. */
export function readCpuProfile(json: string): Frame[] {
  const { nodes, samples, timeDeltas } = schema.parse(JSON.parse(json));
  const seconds = new Map<number, number>();
  samples.forEach((id, at) => {
    // A delta may be negative by a few microseconds: the sampling thread and the clock are not in step.
    const delta = Math.max(0, timeDeltas[at + 1] ?? 0) / 1_000_000;
    seconds.set(id, (seconds.get(id) ?? 0) + delta);
  });
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const frames: Frame[] = [];
  const [root] = nodes;
  const open = root === undefined ? [] : [{ node: root, callers: [] as readonly string[] }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, callers } = next;
    const { functionName, url, lineNumber } = node.callFrame;
    const own = seconds.get(node.id) ?? 0;
    frames.push({ name: functionName, url, line: lineNumber + 1, callers, seconds: own });
    const path = [...callers, url];
    for (const id of node.children ?? []) {
      const child = byId.get(id);
      if (child !== undefined) open.push({ node: child, callers: path });
    }
  }
  return frames;
}
