import { fullName } from './installed-models.js';

/**
 * Estimates the characters per token of each model from the server's token counts, because no call counts tokens. The
 * estimate is low on purpose: a prompt that is too long silently loses its beginning.
 */
export interface TokenRatios {
  /** The least characters per token of the model, as far as known; used to budget a prompt. */
  charactersPerToken(model: string): number;
  /** Learns from a prompt's characters and the server's token count. Never waits. */
  learn(model: string, characters: number, tokens: number): void;
  /** Loads the stored ratios, and from then on stores every noticeable change. */
  remember(store: TokenRatioStore): Promise<void>;
  /** Resolves when every learned ratio is stored. */
  settled(): Promise<void>;
}

export interface StoredRatio {
  /** The model's name with its tag, in lower case. */
  model: string;
  charactersPerToken: number;
  /** The number of prompts behind the ratio. */
  samples: number;
}

export interface TokenRatioStore {
  read(): Promise<StoredRatio[]>;
  write(ratio: StoredRatio): Promise<void>;
}

/** The initial value for an unknown model. Even dense text (code, CJK) rarely falls below it. */
const firstGuess = 2.5;
/** The lower limit: no current tokenizer averages more than one token per character. */
const lowest = 1;
const highest = 4.5;
/** Shorter prompts are ignored, because the marks of the model's template are too large a part of them. */
const leastCharacters = 400;
/** With more characters per token, the server did not read the whole prompt: it used its cache or cut the prompt. */
const implausible = 6;
/** The estimate falls quickly to a low ratio and rises slowly (faster at first), like a soft minimum. */
const fall = 0.8;
const rise = 0.05;
const firstRise = 0.25;
const firstSamples = 8;
/** Smaller relative changes are not stored. */
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
    // A ratio that can't be stored is learned again. No answer may fail because of it.
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
