/** Words that deny what they stand with; "no" before a number is short for "number". */
const denying =
  /(?<![\p{L}\p{N}])(?:not|never|none|nobody|nothing|neither|nor|cannot|without|no(?!\.?\s*\d)|nunca|jamás|ningún|ninguna|ninguno|nadie|nada|tampoco|sin|ni|nicht|kein|keine|keinen|keinem|keiner|keines|nie|niemals|niemand|nichts|ohne|weder)(?![\p{L}\p{N}])|n['’]t(?!\p{L})/iu;

/** Whether a sentence in en, es or de denies something. */
export function denies(sentence: string): boolean {
  return denying.test(sentence);
}
