import { countTokens, durations } from './ollama-stand-in-answers.js';
import type { StandInBehaviour } from './ollama-stand-in-behaviour.js';

/** Synonyms. The words of one line get nearly the same vector. */
const synonyms = [
  ['car', 'automobile', 'vehicle', 'coche', 'auto', 'wagen'],
  ['invoice', 'bill', 'factura', 'rechnung'],
  ['cancel', 'terminate', 'cancelar', 'kündigen'],
  ['dog', 'hound', 'perro', 'hund'],
];

export interface SpaceOptions {
  dimension: number;
  /** Vectors of different seeds can't be compared. */
  seed?: number;
}

/**
 * Makes vectors by meaning, the same for the same text on every machine. Words with common letters are near to each
 * other, and synonyms are nearly equal. A prefix for the model counts like any other word.
 */
export function meaningOf({ dimension, seed = 0 }: SpaceOptions): (text: string) => number[] {
  return (text) => {
    const vector = new Array<number>(dimension).fill(0);
    for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)) {
      const line = synonyms.findIndex((words) => words.includes(word));
      add(vector, line < 0 ? word : `synonym ${line}`, seed, 3);
      const edged = `^${word}$`;
      for (let at = 0; at + 4 <= edged.length; at++) add(vector, edged.slice(at, at + 4), seed, 1);
    }
    const length = Math.hypot(...vector);
    return length === 0 ? vector.map((_, index) => (index === 0 ? 1 : 0)) : vector;
  };
}

/** Adds the direction of a feature: its hash moves some positions up or down. */
function add(vector: number[], feature: string, seed: number, weight: number): void {
  let hash = 2166136261 ^ Math.imul(seed + 1, 2654435761);
  for (const letter of feature) {
    hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16777619);
  }
  for (let turn = 0; turn < 16; turn++) {
    hash = Math.imul(hash ^ (hash >>> 15), 2246822519) + turn;
    const place = (hash >>> 8) % vector.length;
    vector[place] = (vector[place] ?? 0) + (hash & 1 ? weight : -weight);
  }
}

export interface StandInEmbed {
  model: string;
  input: string | string[];
  truncate?: boolean;
}

/** The answer of /api/embed, including the failures of the behaviour. */
export function answerEmbed(
  { model, input, truncate = true }: StandInEmbed,
  behaviour: StandInBehaviour,
): { status: number; answer: object } {
  const texts = typeof input === 'string' ? [input] : input;
  const { embedContext = Number.MAX_SAFE_INTEGER, embedFault, embed, embedFails } = behaviour;
  if (!truncate && texts.some((text) => countTokens(text) > embedContext)) {
    return { status: 400, answer: { error: 'the input length exceeds the context length' } };
  }
  if (texts.some(embedFails)) {
    const error = 'failed to encode response: json: unsupported value: NaN';
    return { status: 500, answer: { error } };
  }
  const whole = texts.map((text) => embed(text.slice(0, embedContext * 4)));
  const count = texts.reduce((sum, text) => sum + countTokens(text), 0);
  const answer = { model, embeddings: spoil(whole, embedFault), ...durations };
  return { status: 200, answer: { ...answer, prompt_eval_count: count } };
}

function spoil(vectors: number[][], fault: StandInBehaviour['embedFault']): unknown {
  const first = vectors[0] ?? [];
  switch (fault) {
    case 'count':
      return vectors.slice(1);
    // Too large for a number, but valid in JSON.
    case 'infinite':
      return [first.map(() => 1e200), ...vectors.slice(1)];
    case 'null':
      return [first.map(() => null), ...vectors.slice(1)];
    case 'zeros':
      return [first.map(() => 0), ...vectors.slice(1)];
    case 'no list':
      return null;
    case undefined:
      return vectors;
  }
}
