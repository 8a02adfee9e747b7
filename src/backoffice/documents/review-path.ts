import { batchPath } from './batch-params.js';

/** What was decided just before: the page says it. */
export type Did = 'accepted' | 'rejected' | 'takenBack' | 'saved' | 'acceptedRest';

export interface ReviewPlace {
  draft: number | 'end';
  ask?: 'edit' | 'rest';
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
