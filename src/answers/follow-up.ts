import { queryTerms } from '../platform/text/analyze.js';
import { foldAccents } from '../platform/text/fold.js';
import { tellLanguage, type Language } from '../platform/text/languages.js';

/** What a message says of its own, and whether it needsContext on what was said or shown before. */
export interface FollowUp {
  /** The words that name something, as terms of a search have them: "and on Windows?" has one, "why?" none. */
  ownWords: ReadonlySet<string>;
  /** Whether it speaks of something that it does not name: "and …", "it", "this", or nothing of its own. */
  needsContext: boolean;
  /** Whether it does so by a word such as "it" or "that". */
  hasPronoun: boolean;
}

/** Words beyond which a message says by itself what it is about. */
const longestFollowUp = 4;

/** Words that ask for a side of a subject, and name none: how long it takes, what it costs, what it means. */
const aspects = new Set(
  `long take takes took last lasts cost costs work works mean means happen happens need needs often
  change changes changed adjust configure modify set turn disable enable off
  raise increase lower reduce extend limit value fix mend solve resolve avoid prevent
  valid validity
  see find get look
  explain tell show difference differences differ example examples detail details exactly please thanks thank ok okay yes right about
  tarda tardan dura duran cuesta cuestan funciona funcionan significa significan pasa pasar ocurre lleva frecuencia
  cambiar cambia cambio cambiarlo cambiarla ajustar configurar modificar modificarlo desactivar activar
  aumentar aumento reducir reduzco ampliar amplio limite valor arreglar
  arreglo arreglarlo solucionar soluciono solucionarlo resolver resuelvo resolverlo evitar evitarlo remediar
  valido valida vale valen vigente
  diferencia diferencias explica explique explicar explicame muestra muestre ejemplo ejemplos detalle detalles exactamente gracias favor vale
  hacerlo hacer haria hago tiempo ver veo encontrar encuentro mirar miro consultar consulto
  dauert dauern lange kostet kosten funktioniert funktionieren geht gehen bedeutet passiert geschieht braucht notig oft
  andern andere umstellen anpassen einstellen konfigurieren abschalten ausschalten einschalten
  erhohen erhohe senken senke verlangern verkurzen grenze wert beheben behebe losen
  lose vermeiden verhindern dagegen danach
  gilt gelten gultig
  sehe sehen finde finden bekomme bekommen
  unterschied unterschiede unterscheidet erklare erklaren zeige zeigen beispiel beispiele genau danke eigentlich heisst mach mache tun`.split(
    /\s+/,
  ),
);

/** Words by which a text means what it is about as a whole. */
const subject = 'product|producto|produkt|software|program|programme|programa|programm';
const subjects = new RegExp(`^(?:${subject})$`);
/** The same in a message, where it means that and no other: "the product", not "the Apollo program". */
const theSubject = new RegExp(
  `(?<![\\p{L}])(?:the|this|your|el|del|al|este|su|das|dem|dieses|diesem|die|der|diese|ihr|ihre) (${subject})(?![\\p{L}])`,
  'giu',
);

/** Beginnings that go on with what was said. */
const goingOn =
  /^[^\p{L}]*(?:and|but|or|so|also|then|what about|how about|y|e|pero|o|entonces|tambien|que hay de|que pasa con|und|aber|oder|dann|auch|was ist mit|wie ist es mit|wie sieht es)(?![\p{L}\p{N}])/u;
/** Words that stand for something said, without accents; where a language means other things by them too, not those. */
const pointing: readonly { language: Language; sign: RegExp }[] = [
  {
    language: 'en',
    sign: /\b(?:it|its|this|these|those|they|them|their|he|him|she|ones?|(?<!(?:is|are|was|were) )there|the same)\b/,
  },
  {
    language: 'en',
    sign: /\bthat\b(?=\s*(?:[?.!,]|$|\w+\s*[?.!]|(?:on|in|for|with|to|take|mean|work|happen|cost|be)\b))/,
  },
  {
    language: 'es',
    sign: /\b(?:eso|esto|ello|aquello|es[ao]s?|est[aeo]s?|lo|ahi|alli|sus?|el mismo|la misma)\b/,
  },
  { language: 'es', sign: /\b\w+(?:ar|er|ir|ando|iendo)(?:l[ao]s?|se)\b/ },
  {
    language: 'de',
    sign: /\b(?:dies|diese[mnrs]?|(?<!gibt )es|er|ihn|ihm|dort|damit|dafur|davon|dabei|dazu|daran|darauf|darin|dasselbe|deren|dessen)\b/,
  },
  {
    language: 'de',
    sign: /\bdas\b(?=\s*(?:[?.!,]|$)|\s+(?:auch|denn|genau|so|dann|noch|bitte|bei|unter|mit|auf|in|im|fur|immer)\b)/,
  },
];

/** Words that mean one of several things said by its place among them, without accents. */
const byPlace =
  /\b(?:the|el|la|lo|los|las|der|die|das|den|dem)\s(?:first|second|third|fourth|last|latter|former|other|primer[oa]?|segund[oa]|tercer[oa]?|cuart[oa]|ultim[oa]|otr[oa]|erste[nrs]?|zweite[nrs]?|dritte[nrs]?|vierte[nrs]?|letzte[nrs]?|andere[nrs]?)(?:\sones?)?[^\p{L}\p{N}]*$/u;

/** Whether a message ends with what it means by its place in what was said: "and the last one?". */
export function refersByPosition(text: string): boolean {
  return byPlace.test(foldAccents(text.toLowerCase()));
}

/** Whether a word asks for a side of a subject, and names none. */
export function isAspect(word: string): boolean {
  return aspects.has(foldAccents(word));
}

/** Whether a word of a heading stands for what the whole text is about: "Installing the program". */
export function isSubject(word: string): boolean {
  return subjects.test(word);
}

/** The words of a message that stand for what the knowledge is about, whatever that calls itself. */
export function subjectsIn(message: string): ReadonlySet<string> {
  return new Set([...message.matchAll(theSubject)].map(([, word = '']) => word.toLowerCase()));
}

export function readFollowUp(text: string): FollowUp {
  const terms = queryTerms(text).filter((term) => !term.isStopWord);
  const own = terms.filter((term) => !isAspect(term.text));
  const plain = foldAccents(text.toLowerCase());
  const isShort = own.length <= longestFollowUp;
  // "Es" is a verb in Spanish, and a pronoun in German.
  const mayBeIn = (language: Language) => {
    const told = tellLanguage(text);
    return !told.sure || told.language === language;
  };
  const hasPronoun =
    isShort && pointing.some(({ language, sign }) => sign.test(plain) && mayBeIn(language));
  const needsContext = hasPronoun || (isShort && (own.length === 0 || goingOn.test(plain)));
  return { ownWords: new Set(own.map((term) => term.text)), needsContext, hasPronoun };
}

/** Whether a message that finds nothing by itself may be meant as going on. */
export function mayBeFollowUp({ ownWords }: FollowUp): boolean {
  return ownWords.size <= longestFollowUp;
}
