export type SectionLanguage = 'en' | 'es' | 'de' | 'other';

/**
 * The languages told apart. Those the product does not serve are here to attract their own text: without them
 * Portuguese would be Spanish and Dutch German.
 */
const subset = [
  'en',
  'es',
  'de',
  'fr',
  'it',
  'pt',
  'ca',
  'nl',
  'sv',
  'da',
  'no',
  'pl',
  'cs',
  'ru',
  'uk',
  'tr',
  'zh',
  'ja',
  'ko',
  'ar',
  'he',
  'el',
  'hi',
];
/** Shorter prose says too little about its language. */
const minLetters = 60;
const maxSample = 400;

export interface LanguageDetector {
  detect(text: string): SectionLanguage;
}

/** Loads the detector: some 90 MB and half a second, once per thread that needs it. */
export async function loadLanguageDetector(): Promise<LanguageDetector> {
  const { eld } = await import('eld/extrasmall');
  eld.setLanguageSubset(subset);
  return {
    detect(text) {
      const { language } = eld.detect(text);
      return language === 'en' || language === 'es' || language === 'de' ? language : 'other';
    },
  };
}

/** The running text of a section: without code, tables' rules, addresses and marks. */
export function proseOf(content: string): string {
  return content
    .replace(/^(`{3,})[^\n]*\n[\s\S]*?\n\1$/gm, ' ')
    .slice(0, 2 * maxSample)
    .split(/\s+/)
    .filter((word) => !/[/\\@_=<>{}[\]|#]/.test(word))
    .join(' ')
    .slice(0, maxSample);
}

function letterCount(text: string): number {
  return text.replace(/[^\p{L}]+/gu, '').length;
}

/**
 * The language of each text. Short or code-heavy ones take the document's: the one that most of its prose is in.
 */
export function languagesOf(
  texts: readonly string[],
  detector: LanguageDetector,
): SectionLanguage[] {
  const prose = texts.map(proseOf);
  const letters = prose.map(letterCount);
  const cjk = prose.map((text) =>
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Hangul}]/u.test(text),
  );
  const found = prose.map((text, index) => {
    // A Chinese character says as much as a word does.
    const enough = (letters[index] ?? 0) >= (cjk[index] === true ? minLetters / 4 : minLetters);
    return enough ? detector.detect(text) : undefined;
  });
  const weights = new Map<SectionLanguage, number>();
  found.forEach((language, index) => {
    if (language !== undefined)
      weights.set(language, (weights.get(language) ?? 0) + (letters[index] ?? 0));
  });
  const ranked = [...weights].sort((a, b) => b[1] - a[1]);
  const main = ranked[0]?.[0] ?? detector.detect(prose.join(' '));
  return found.map((language) => language ?? main);
}
