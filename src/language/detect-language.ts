import type { Language, LanguageSigns } from './language-pack.js';
import { languagePacks, wordSet } from './packs.js';
import { remembering } from '../platform/remember.js';

/** Languages that would otherwise be confused with those of the packs. White space separates their function words. */
const neighbours: readonly (LanguageSigns & { words: string })[] = [
  // French
  {
    words: `à au aux avec avez avons ce ces cette comme comment d dans des du elle elles est et était être
      faire fait faut il ils j je l la le les leur leurs lui mais mes mon même n ne nous où ou par pas plus pour
      pourquoi puis qu quand que quel quelle quelles quels qui s sans sa ses si son sont sous sur ta te tes ton
      tout tous toute un une vos votre vous`,
    strong:
      /[çêëîïôûœ]|è[rtgcmsv]|(?:eau|eaux|eux|euse|ez|ais|ait|aient|oir|oire|ille|ette|ître|eur|eurs|ée|ées|és|er|ement|ique|iques)$|oi|ouv|[^aeiou]re$/,
    weak: /(?:tion|ment|ent|e|es|é|age)$|é|qu|ou|ai|eu/,
  },
  // Italian
  {
    words: `ai al alla alle anche c che chi ci come con cosa d da dal dalla degli dei del dell della delle di
      dove e è era essere fare gli ha hanno i il in io l la le lo loro ma mi nel nella nelle non o per perché più
      posso può qual quale quali quando quanto quanti questa questo se sei si sia sono su sua sul sulla suo tra
      tu un una uno`,
    strong:
      /[àèìòù]|(?:zione|zioni|mente|aggio|aggi|etto|etti|zza|ità|iamo|are|ere|ire|ndo|tto|tti|lla|llo|gli|cci|uto|uti)$|zz|gl[i]|cch|ggi|uo[vnl]|zion|sci|cc[io]/,
    weak: /(?:i|o|a|e|ato|ata|ati|ano|one|oni)$|ch[ei]|gh|tt|ll|zi/,
  },
  // Portuguese
  {
    words: `à a ao aos as às até com como da das de dela dele do dos e é ela ele em entre era essa esse esta
      está este eu foi foram há isso isto já mais mas me meu minha muito na não nas nem no nos o onde os ou para
      pela pelo por porque posso qual quais quando que quem se sem ser seu são sua também tem uma um você vocês`,
    strong:
      /[ãõçâêô]|nh[aeo]|lh[aeo]|(?:ções|ção|agem|ência|ável|ões|inho|ário|eiro|eira|ou|am|em|ir[áã]|ndo|vel)$|eir|ss[aeo]/,
    weak: /(?:os|as|o|a|ar|er|ir|m|ado|ada|dade|mente|es)$|qu[ei]|[áéíóú]|ei|ou/,
  },
  // Catalan
  {
    words: `al amb aquest aquesta com dels d el els en és està fer ha hi i l la les meu meva molt no on per
      perquè però pot puc què quan qui quin quina s se sense ser seu si són també tot un una va vam vaig`,
    strong:
      /[çàèò]|l·l|ny[aes]?$|(?:ció|ment|ig|itza|eix|tge|ts|ues|ències|itat|uix|itzar|xer)$|tx|ix/,
    weak: /(?:a|es|ar|ir|t|r|s|er)$|[íéóú]|qu|ll/,
  },
  // Dutch
  {
    words: `aan als bij dan dat de deze die dit door een en er geen haar heb hebben heeft het hij hoe hun ik
      in is ja je jij kan kunnen maar meer met mijn moet na naar niet nog of om onder ook op over te tot tussen
      uit van veel voor waar waarom wanneer was wat we welke werd wie wij worden wordt ze zich zijn zo zonder`,
    strong:
      /ij|aa|uu|oe[kdt]|ui|sch[aeir]|(?:eren|heid|ing|lijk|lijke|elijk|tje|dt|tie|ties|eer|oor|ond|jk|jn)$|oek|gh|nieuw|eeu|cht|oo[rdn]/,
    weak: /(?:en|er|t|de|el|je|s)$|ee|oo|ie|k|v|z|w/,
  },
  // Polish, Czech
  {
    words: `ale był była być co czy dla do gdzie i jak jaka jakie jaki jako jest kde kto která které který mi
      mogę mój na nie o od po proč przez się są to v ve w we z za ze ze že je jsou`,
    strong:
      /[ąęłńśźżćěřšžčůý]|(?:owy|owa|ować|ego|emu|ych|ość|nia|iem|ami|yjny|ny|ki|sz|ek)$|cz|rz|sz|dz/,
    weak: /(?:y|i|a|e|u|k)$|w|k|z|j/,
  },
  // Danish, Norwegian, Swedish
  {
    words: `af at att av då de den der det där du efter eller en er ett för fra från får har hvad hvem hvor
      hvordan hvorfor hur i ikke inte jag jeg kan med men mig min mit mitt och og om på sig ska skal som till til
      vad var varför vem vi være är`,
    strong:
      /[åøæ]|(?:ende|ning|ningen|erne|erna|arna|het|hed|lig|ligt|ligen|skt|isk|eren|ord|fil|filen|ilen)$|hv|äl|ör|kj|sj|ställ/,
    weak: /(?:r|n|t|en|et|er|ar|or|a|e)$|k|v|sk|d/,
  },
];

/** The characters of a text that are read: more would only take more time. */
const CHARS_READ = 2000;

/** The factor for neighbours: they share many words with the three languages, and few users write in them. */
const HANDICAP = 0.75;

/** The least lead of a language whose text identifies it alone: half a unique function word. */
const SURE_LEAD = 0.75;
/** The same without any function word: endings and letters are similar in several languages. */
const SURE_LEAD_OF_NAMES = 2;
/** The weight of punctuation that only one language has: that of a unique function word. */
const PUNCTUATION_SAYS = 3;

/** The languages of the packs and their neighbours. */
const candidates: readonly (LanguageSigns & { language: Language; words: ReadonlySet<string> })[] =
  [
    ...languagePacks.map(({ language, signs, functionWords, courtesies }) => {
      return { language, ...signs, words: wordSet(functionWords, courtesies) };
    }),
    ...neighbours.map((one) => ({ ...one, language: 'other' as const, words: wordSet(one.words) })),
  ];

export interface ToldLanguage {
  /** The most likely language; undefined without any sign. */
  language: Language | undefined;
  /** True when the text alone is enough: `access token` could also be German. */
  sure: boolean;
}

/**
 * The language of a question or a passage: by its script, its function words, and the letters and endings of
 * its words. `other` where nothing speaks for any language (`SQLite 3.45`).
 *
 * The eld package is not used, because this runs on each question in the server's thread. Its smallest data set takes
 * 0.6 s to load and 30 MB of memory, and is no better on questions.
 */
export function detectLanguage(text: string): Language {
  return tellLanguage(text).language ?? 'other';
}

/** As detectLanguage, and whether the text alone is enough: for a few words the context must often decide. */
export const tellLanguage: (text: string) => Readonly<ToldLanguage> = remembering(
  readLanguage,
  1000,
);

/** Most texts have nothing of this, and need not be counted. */
const notLatin =
  /[^\P{L}\p{Script=Latin}]|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

function isMostlyNotLatin(sample: string): boolean {
  // A character of these scripts counts as much as half a word elsewhere.
  const dense = sample.match(
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu,
  );
  const letters = (sample.match(/\p{L}/gu)?.length ?? 0) + 2 * (dense?.length ?? 0);
  const latin = sample.match(/\p{Script=Latin}/gu)?.length ?? 0;
  return letters > 0 && latin < letters / 2;
}

function readLanguage(text: string): ToldLanguage {
  const sample = text.slice(0, CHARS_READ).normalize('NFC');
  if (notLatin.test(sample) && isMostlyNotLatin(sample)) return { language: 'other', sure: true };
  const words = wordsOf(sample);
  const scores = new Map<Language, number>();
  const signs = words.map(signsOf);
  for (const [index, { language, punctuation }] of candidates.entries()) {
    const marks = punctuation?.test(sample) === true ? PUNCTUATION_SAYS : 0;
    const sum = marks + score(signs, index) * (language === 'other' ? HANDICAP : 1);
    scores.set(language, Math.max(sum, scores.get(language) ?? 0));
  }
  const [first, second] = [...scores].sort(([, one], [, other]) => other - one);
  if (first === undefined || first[1] < 1) return { language: undefined, sure: false };
  const [language, most] = first;
  const isProse = candidates.some(
    (one) => one.language === language && words.some((word) => one.words.has(word)),
  );
  const lead = most - (second?.[1] ?? 0);
  return { language, sure: lead >= (isProse ? SURE_LEAD : SURE_LEAD_OF_NAMES) };
}

/** The words of prose: a name such as `too_many_pages` or `server.port` is the same in any language. */
function wordsOf(sample: string): string[] {
  const prose = sample
    .split(/\s+/)
    .filter((run) => !/_|[\p{L}\p{N}][./@\\][\p{L}\p{N}]/u.test(run));
  return (
    prose
      .join(' ')
      .toLowerCase()
      .match(/\p{Script=Latin}+/gu) ?? []
  );
}

/** What the words say for one of the candidates. */
function score(signs: readonly (readonly number[])[], candidate: number): number {
  return signs.reduce((sum, ofWord) => sum + (ofWord[candidate] ?? 0), 0);
}

/** What a word says for each candidate. Most words of a text are frequent ones. */
const signsOf = remembering((word): readonly number[] => {
  const rare = rarity(word);
  return candidates.map(({ words, strong, weak }) =>
    words.has(word) ? rare : (strong.test(word) ? 1 : 0) + (weak.test(word) ? 0.5 : 0),
  );
}, 2000);

/** A function word counts less the more languages share it (`de` is in seven of ten, `the` in one). */
function rarity(word: string): number {
  const sharing = candidates.filter((signs) => signs.words.has(word)).length;
  return 3 / sharing;
}
