import { fullName } from './installed-models.js';

/**
 * How many characters a token of each model stands for, learned from the server's own counts: there is no call
 * that counts tokens. Low rather than right, since a prompt that is too long loses its head without a word.
 */
export interface TokenRatios {
  /** For budgeting a prompt: characters that a token of the model holds at least, as far as is known. */
  charactersPerToken(model: string): number;
  /** Learns from a prompt of so many characters that the server counted as so many tokens. Never waits. */
  learn(model: string, characters: number, tokens: number): void;
  /** Goes on from what was stored before, and stores from then on what changes by more than a little. */
  remember(store: TokenRatioStore): Promise<void>;
  /** Resolves when all that was learned is stored. */
  settled(): Promise<void>;
}

export interface StoredRatio {
  /** With its tag, in lower case. */
  model: string;
  charactersPerToken: number;
  /** Prompts that it was learned from. */
  samples: number;
}

export interface TokenRatioStore {
  read(): Promise<StoredRatio[]>;
  write(ratio: StoredRatio): Promise<void>;
}

/** What dense text (code, CJK) seldom falls below: for a model that nothing is known of. */
const firstGuess = 2.5;
/** One character is several tokens in no tokenizer of today, and no usual text has longer ones in the mean. */
const lowest = 1;
const highest = 4.5;
/** Of a shorter prompt the marks that the model's template adds are too large a part. */
const leastCharacters = 400;
/** More characters a token than this were not all read: the server had some of the prompt in its cache, or cut it. */
const implausible = 6;
/** The estimate falls nearly to what was just seen, and rises slowly, somewhat faster at first: a soft minimum. */
const fall = 0.8;
const rise = 0.05;
const firstRise = 0.25;
const firstSamples = 8;
/** Changes smaller than this are not worth a write. */
const worthStoring = 0.03;

export function createTokenRatios(): TokenRatios {
  const known = new Map<string, StoredRatio>();
  const stored = new Map<string, number>();
  let store: TokenRatioStore | undefined;
  let writing: Promise<void> = Promise.resolve();

  function save(ratio: StoredRatio): void {
    const before = stored.get(ratio.model) ?? firstGuess;
    if (store === undefined) return;
    if (Math.abs(ratio.charactersPerToken / before - 1) <= worthStoring) return;
    stored.set(ratio.model, ratio.charactersPerToken);
    const target = store;
    // What can't be stored is learned again: no answer may fail of it.
    writing = writing.then(() => target.write(ratio)).catch(() => undefined);
  }

  return {
    charactersPerToken: (model) => known.get(fullName(model))?.charactersPerToken ?? firstGuess,
    learn(model, characters, tokens) {
      const seen = characters / tokens;
      if (characters < leastCharacters || !(seen > 0) || seen > implausible) return;
      const name = fullName(model);
      const { charactersPerToken, samples } = known.get(name) ?? unknown(name);
      const slow = samples < firstSamples ? firstRise : rise;
      const step = seen < charactersPerToken ? fall : slow;
      const moved = charactersPerToken + step * (seen - charactersPerToken);
      const ratio = { model: name, charactersPerToken: bounded(moved), samples: samples + 1 };
      known.set(name, ratio);
      save(ratio);
    },
    async remember(newStore) {
      for (const ratio of await newStore.read()) {
        const charactersPerToken = bounded(ratio.charactersPerToken);
        stored.set(ratio.model, charactersPerToken);
        known.set(ratio.model, { ...ratio, charactersPerToken });
      }
      store = newStore;
    },
    settled: () => writing,
  };
}

function unknown(model: string): StoredRatio {
  return { model, charactersPerToken: firstGuess, samples: 0 };
}

function bounded(ratio: number): number {
  return Math.min(highest, Math.max(lowest, ratio));
}
