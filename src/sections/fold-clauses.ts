import { escapeProse } from '../platform/text/escape-markdown.js';
import type { Chapter } from './chapter.js';

/**
 * Headings of a level on which most have nothing below them are text themselves, as the clauses of a policy are:
 * "1.1 Passwords have at least 12 characters". They become paragraphs of the chapter above them.
 */
export function foldClauses(chapters: readonly Chapter[]): Chapter[] {
  const isLeaf = ({ level }: Chapter, at: number) => (chapters[at + 1]?.level ?? 0) <= level;
  const isBare = (chapter: Chapter, at: number) =>
    chapter.blocks.length === 0 && chapter.path.length > 1 && isLeaf(chapter, at);
  const leaves = new Map<number, { all: number; bare: number }>();
  for (const [at, chapter] of chapters.entries()) {
    if (!isLeaf(chapter, at)) continue;
    const { all, bare } = leaves.get(chapter.level) ?? { all: 0, bare: 0 };
    leaves.set(chapter.level, { all: all + 1, bare: bare + (isBare(chapter, at) ? 1 : 0) });
  }
  const folded: Chapter[] = [];
  for (const [at, chapter] of chapters.entries()) {
    const { all, bare } = leaves.get(chapter.level) ?? { all: 0, bare: 0 };
    const above = folded.at(-1);
    if (above === undefined || !isBare(chapter, at) || bare < 2 || bare <= all / 2) {
      folded.push(chapter);
      continue;
    }
    const { pageFrom, pageTo, printed } = chapter;
    const clause = { kind: 'paragraph' as const, text: escapeProse(printed), pageFrom, pageTo };
    folded[folded.length - 1] = { ...above, blocks: [...above.blocks, clause], pageTo };
  }
  return folded;
}
