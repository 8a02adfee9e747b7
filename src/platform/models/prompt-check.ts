/** A prompt as it was sent, and what the server says that it read of it. */
export interface SentPrompt {
  characters: number;
  /** 0 when the server does not say. */
  tokens: number;
  numCtx: number;
}

/** More characters than this in a token, over a whole prompt, no language and no code has. */
const mostCharactersPerToken = 6.75;
/** Fewer than this may be what a cache left to be read: a prompt that was just asked is counted as a few tokens. */
const leastTokens = 1000;

/**
 * Whether the server has cut the prompt without a word, as older ones do with its head. Only what can hardly be
 * anything else: a prompt that no tokenizer fits into the window, or a long one of which far too little was counted.
 */
export function wasCut({ characters, tokens, numCtx }: SentPrompt): boolean {
  if (tokens === 0) return false;
  if (characters / mostCharactersPerToken > numCtx) return true;
  return tokens >= leastTokens && characters / tokens > mostCharactersPerToken;
}
