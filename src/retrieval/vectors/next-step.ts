import { isOf, type Generation, type WantedModel } from './generation.js';

/** What there is to do next, so that the passages are embedded with the model that is wanted. */
export type Step =
  | { do: 'create' }
  | {
      do: 'embed' | 'judge' | 'swap' | 'revive' | 'discard' | 'purge' | 'rename';
      generation: Generation;
    };

export interface Situation {
  generations: readonly Generation[];
  wanted: WantedModel;
  newestPassage: number;
  /** Passages of the whole index. */
  passages: number;
  /** Whether the model of the live generation can still be asked, where it is not the one that is wanted. */
  liveAnswers: boolean;
  /** Generations, by id, that are to be taken again though somebody went back from them. */
  redo: ReadonlySet<number>;
}

/** Passages from which the trust in their vectors can be estimated. */
const leastJudged = 24;
/** Growth of the index after which it is estimated anew. */
const notableGrowth = 1.5;

/**
 * The next step, or undefined when all is done. A new model's generation grows beside the live one, which goes on
 * being kept up to date, and takes its place once it is whole.
 */
export function nextStep(situation: Situation): Step | undefined {
  const { generations, wanted, newestPassage, passages, liveAnswers } = situation;
  const inState = (state: Generation['state']) => generations.find((one) => one.state === state);
  const live = inState('live');
  const building = inState('building');
  const behind = (generation: Generation) => generation.embeddedTo < newestPassage;
  const misnamed = generations.find(
    (one) => isOf(one, wanted) && one.model !== wanted.model && one.state !== 'discarded',
  );
  if (misnamed !== undefined) return { do: 'rename', generation: misnamed };

  const target = targetOf(situation);
  if (building !== undefined && building !== target) {
    return { do: 'discard', generation: building };
  }
  // Few passages, and questions are asked now: they come before the many of the new generation.
  const liveIsAsked = live !== undefined && (isOf(live, wanted) || liveAnswers);
  if (liveIsAsked && behind(live)) return { do: 'embed', generation: live };
  if (target === undefined) return { do: 'create' };
  if (target.state === 'building') {
    if (behind(target)) return { do: 'embed', generation: target };
    return { do: isJudged(target, passages) ? 'swap' : 'judge', generation: target };
  }
  const isReturn =
    target.state === 'previous' || (target.state === 'undone' && situation.redo.has(target.id));
  if (isReturn) return { do: 'revive', generation: target };
  if (target.state === 'live' && !isJudged(target, passages)) {
    return { do: 'judge', generation: target };
  }
  const discarded = inState('discarded');
  return discarded === undefined ? undefined : { do: 'purge', generation: discarded };
}

/** The generation that is to be the live one; undefined when it is still to be made. */
function targetOf({ generations, wanted }: Situation): Generation | undefined {
  const fitting = generations.filter((one) => one.state !== 'discarded' && isOf(one, wanted));
  const order: Generation['state'][] = ['live', 'building', 'undone', 'previous'];
  return fitting.sort((a, b) => order.indexOf(a.state) - order.indexOf(b.state))[0];
}

function isJudged({ trust }: Generation, passages: number): boolean {
  return passages < leastJudged || (trust !== null && passages <= notableGrowth * trust.passages);
}
