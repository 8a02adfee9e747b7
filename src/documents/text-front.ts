import { lineOf, type Element } from './tree.js';

/** A paragraph about the text itself: its version, its date, who wrote it, where newer ones are. */
const ofText =
  /^\W*(?:version|v\.? ?\d|revision|release \d|draft|copyright|©|\(?c\) |(?:written |maintained )?by |author|last (?:update|change|modified)|date\b|see (?:https?:|www\.)|\S+@\S+$)/i;
/** In characters: a longer paragraph says more. */
const longestOfText = 160;

/** Takes away what stands between the title of a text and its first chapter if it is only about the text itself. */
export function clearFront(blocks: Element[]): void {
  const isHeading = ({ attributes }: Element) => attributes['look'] !== undefined;
  const from = blocks.findIndex(isHeading);
  const end = blocks.findIndex((block, at) => at > from && isHeading(block));
  const front = from === 0 && end > 0 ? blocks.slice(1, end) : [];
  const isEmpty = front.every((block) => {
    const words = lineOf(block);
    return block.name === 'p' && words.length <= longestOfText && ofText.test(words);
  });
  if (isEmpty) blocks.splice(1, front.length);
}
