import { z } from 'zod';

export const batchParams = z.object({ id: z.string().min(1).max(100) });

/** The path of a batch below /backoffice. */
export function batchPath(id: string): string {
  return `/documents/${encodeURIComponent(id)}`;
}
