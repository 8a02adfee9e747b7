const caption =
  /^(fig(ure|ura)?|tab(le|elle|la|leau|ela)?|abb(ildung)?|illustration|ilustración|cuadro|tafel|plate)\.?\s*(?:[A-Z]|[IVX]{2,5})?[-.]?\d{1,3}([-.]\d{1,3})*[a-z]?([.:–—\s-]|$)/iu;

export function isCaptionText(text: string): boolean {
  return caption.test(text);
}

/** In characters: a longer one is a sentence. */
const longest = 60;

/** A label as a name: without the mark of its list and without the sign that parts it from its text. */
export function labelWords(text: string): string {
  return text.replace(/[\s.,:;<([{–—-]+$/u, '').replace(/^[•‣▪*–—-]\s+|^\(?\d{1,3}[.)]\s+/u, '');
}

/** The label of a box says nothing about what is in it. */
const ofBox =
  /^(?:notes?|tips?|hints?|warnings?|caution|important|attention|danger|remarks?|examples?|notas?|consejos?|sugerencias?|advertencias?|precauci[oó]n|importante|atenci[oó]n|peligro|avisos?|ejemplos?|hinweise?|tipps?|warnung|vorsicht|wichtig|achtung|gefahr|anmerkung|beispiele?)(?: \d+)?$/iu;

/** Signs of formulas, whose vectors and matrices are bold. */
const formula = /\s=|=\s|^=|[\^∆∂∑∫→∞≤≥−≈⎛-⎳]|\(\)\p{L}/u;

export function isLabelText(text: string): boolean {
  if (text.length > longest || text.startsWith('[') || !/\p{L}{2}|\d{4}-\d|^-/u.test(text))
    return false;
  return (
    !isCaptionText(text) &&
    !ofBox.test(text) &&
    !formula.test(text) &&
    !/\p{Ll}{3}[.!?] \p{L}|[。！？]/u.test(text)
  );
}
