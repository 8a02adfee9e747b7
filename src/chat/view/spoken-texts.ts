/**
 * The words of a rendered answer, one text for each paragraph, heading, cell and block of code. Buttons and the names of
 * programming languages are left out.
 */
export function spokenTexts(answer: HTMLElement): string[] {
  return [...answer.querySelectorAll('p,pre,th,td,h3,h4,h5,h6')].map((block) => {
    const copy = block.cloneNode(true) as Element;
    for (const made of copy.querySelectorAll('button')) made.remove();
    // Where a citation stood there are two spaces, or one before a full stop.
    return copy.textContent
      .replace(/\s+/g, ' ')
      .replace(/ (?=[.,:;!?)])/g, '')
      .trim();
  });
}
