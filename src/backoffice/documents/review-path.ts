import { batchPath } from './batch-params.js';

/** The last decision, which the page reports. */
export const dids = [
  'accepted',
  'rejected',
  'takenBack',
  'saved',
  'acceptedRest',
  'merged',
  'split',
  'reshapingUndone',
] as const;
export type Did = (typeof dids)[number];

/** The questions that the page asks before it does something. */
export const asks = ['edit', 'rest', 'split'] as const;
export type Ask = (typeof asks)[number];

export interface ReviewPlace {
  draft: number | 'end';
  ask?: Ask;
  did?: Did;
  /** The draft of the last decision, which can be taken back. */
  last?: number | undefined;
}

/** The path of a place in a review, below /backoffice. */
export function reviewPath(batchId: string, place: ReviewPlace): string {
  const given = Object.entries(place).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return `${batchPath(batchId)}/review?${new URLSearchParams(given).toString()}`;
}
