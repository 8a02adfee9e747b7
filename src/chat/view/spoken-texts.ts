/**
 * The texts of a rendered answer, one per paragraph, heading, cell and code block. Buttons and names of programming
 * languages are omitted.
 */
export function spokenTexts(answer: HTMLElement): string[] {
  return [...answer.querySelectorAll('p,pre,th,td,h3,h4,h5,h6')].map((block) => {
    const copy = block.cloneNode(true) as Element;
    for (const made of copy.querySelectorAll('button')) made.remove();
    // A removed citation leaves two spaces, or one before a full stop.
    return copy.textContent
      .replace(/\s+/g, ' ')
      .replace(/ (?=[.,:;!?)])/g, '')
      .trim();
  });
}
