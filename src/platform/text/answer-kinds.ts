import { foldAccents } from './fold.js';

/** What a question wants to hear: a sentence that holds such a thing is more likely the answer. */
export const answerKinds = [
  'list',
  'frequency',
  'duration',
  'number',
  'time',
  'reason',
  'person',
  'place',
  'way',
  'meaning',
] as const;
export type AnswerKind = (typeof answerKinds)[number];

/** How questions in en, es and de say it, without accents. The first kind that fits decides. */
const askedBy: Record<AnswerKind, RegExp> = {
  list: anyOf(
    '(?:what|which) (?!time|year)(?:[\\w-]+ ){1,3}(?:are there|exist|are (?:available|possible|supported))',
    'que (?:[\\w-]+ ){1,3}(?:hay|existen)',
    'welche (?:[\\w-]+ ){1,3}(?:gibt es|existieren|stehen zur)',
  ),
  frequency: anyOf(
    'how (?:often|frequently)|how many times',
    'con que frecuencia|cada cuanto|cuantas veces',
    'wie (?:oft|haufig)|wie viele male|in welchen abstanden',
  ),
  duration: anyOf(
    'how long(?! (?:is|are|was|were) the| (?:can|may|must|shall|should) .{1,40} be\\b)',
    'cuanto (?:tiempo|tarda|tardan|dura|duran|demora)',
    'wie lange',
  ),
  number: anyOf(
    'how (?:many|much|long|old|far|large|big|tall|high|deep|fast|wide|heavy)',
    '(?:what|which) (?:percentage|percent|number|amount|size|share|proportion|population)',
    'cuant[oa]s?|que (?:porcentaje|cantidad|numero|tamano|proporcion|poblacion)',
    'wie (?:viele?|hoch|gross|lang|alt|weit|tief|schnell|breit|schwer)',
    'welche[rns]? (?:prozentsatz|anteil|anzahl|grosse|zahl)',
  ),
  time: anyOf(
    'when|(?:what|which) (?:year|date|day|month|century|decade|time)|cuando',
    '(?:que|cual) (?:ano|fecha|dia|mes|siglo|decada|hora)|a que hora',
    'wann|welche[mrsn]? (?:jahr|datum|tag|monat|jahrhundert|jahrzehnt)|wie spat',
  ),
  reason: anyOf('why|por que|warum|weshalb|wieso|weswegen'),
  person: anyOf('who|whom|whose|quien(?:es)?|wer|wem|wen|wessen'),
  place: anyOf('where|a?donde|wo|wohin|woher'),
  way: anyOf(
    'how (?:do|can|could|should|may|must|to)|how does one|what (?:can|should|must|do) (?:i|we|you|one) do',
    'como (?:puedo|podemos|se puede|se|hago|debo|\\w+o)|que (?:puedo|podemos|debo|se puede|hay que|tengo que) hacer|que hago',
    'wie (?:kann|konnen|muss|mussen|soll|lasst|\\w+ (?:ich|wir|man))|was (?:kann|konnen|muss|mussen|soll) (?:ich|wir|man) (?:\\w+ ){0,2}(?:tun|machen)|was (?:tun|mache ich|tue ich)',
  ),
  meaning: anyOf(
    'what (?:is|are) (?!the )|what (?:is|are) the \\w+(?: \\w+)?(?=\\W*$)|what does .{1,60} mean|what is meant',
    'que (?:es|son|significan?|quiere decir)',
    'was (?:ist|sind|bedeute[tn]|heisst)',
  ),
};

/** What answers of a kind are told by, without accents. */
const toldBy: Record<Exclude<AnswerKind, 'list' | 'person' | 'place' | 'meaning'>, RegExp> = {
  frequency: anyOf(
    'once|twice|times|daily|hourly|weekly|monthly|yearly|annually|always|never|rarely|seldom|sometimes|often|regularly|every|each',
    'vez|veces|diari[oa]s?|semanal(?:es)?|mensual(?:es)?|anual(?:es)?|siempre|nunca|raramente|a menudo|regularmente|cada',
    'mal|(?:ein|zwei|drei|vier|funf)mal|(?:stund|tag|wochent|monat|jahr)lich|immer|nie|selten|manchmal|oft|haufig|regelmassig|jede[nrs]?|alle',
  ),
  duration: anyOf(
    '(?:second|minute|hour|day|night|week|month|year|decade)s?|centur(?:y|ies)|until|since|always|forever|(?:in|from) \\d{4}',
    '(?:segundo|minuto|hora|dia|noche|semana|ano|decada|siglo)s?|mes(?:es)?|hasta|desde|siempre|(?:en|de) \\d{4}',
    '(?:(?:werk|arbeits|kalender)?tag|sekunde|minute|stunde|nacht|woche|monat|jahr|jahrzehnt|jahrhundert)(?:e|en|n|s|es)?|bis|seit|immer|stets|(?:im jahr|von) \\d{4}',
  ),
  number: anyOf(
    'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|hundred|thousand|half|third|twice|none|unlimited|free of charge|for free|any number|as (?:many|much)',
    'dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|veinte|cien|ciento|mil|mitad|tercio|ningun[oa]?|ilimitad[oa]s?|gratis|gratuit[oa]s?|tant[oa]s',
    'zwei|drei|vier|funf|sechs|sieben|acht|neun|zehn|elf|zwolf|zwanzig|hundert|tausend|halfte|drittel|keine[rs]|keins|unbegrenzt|beliebig|kostenlos|kostenfrei|\\w+fach(?:e[nrs]?)?',
  ),
  time: anyOf(
    'january|february|march|april|june|july|august|september|october|november|december|(?:mon|tues|wednes|thurs|fri|satur|sun)day',
    '(?:century|decade|year|month|week|day|night|hour|minute)s?|centuries',
    'enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|lunes|martes|miercoles|jueves|viernes|sabado|domingo',
    '(?:siglo|decada|ano|semana|dia|noche|hora|minuto)s?|mes(?:es)?',
    'januar|februar|marz|mai|juni|juli|oktober|dezember|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag',
    '(?:jahrhundert|jahrzehnt|jahr|monat|woche|tag|nacht|stunde|minute)(?:e|en|n|s|es)?',
  ),
  reason: anyOf(
    'because|since|due to|so that|therefore|thus|in order to|as a result|reasons?|causes?|caused',
    'porque|debido|ya que|puesto que|por lo que|para que|razon(?:es)?|causas?',
    'weil|denn|wegen|aufgrund|damit|daher|deshalb|da|sodass|grund|ursache',
  ),
  way: anyOf(
    'press|click|open|run|enter|choose|select|type|set|use|add|install|command',
    'pulse|haga clic|abra|ejecute|introduzca|elija|seleccione|escriba|use|utilice|instale|comando|orden',
    '(?:drucken|klicken|offnen|fuhren|geben|wahlen|verwenden|nutzen|installieren|rufen|starten) sie|befehl',
  ),
};

/** A command, an option or a step of a list: what a question for a way hopes for most. */
const step = /`|--[a-z]|^\s*(?:[-*•]|\d{1,2}[.)]|[$>#])\s/m;

/** The number of an item counts nothing. */
const listMark = /^\s*\d{1,3}[.)]\s/;

/** What a question wants to be told how to do otherwise, and what tells it: a setting, by its name or as such. */
const changeAsked = anyOf(
  '(?:chang|rais|adjust|configur|modif|customi[sz]|disabl|enabl|shorten|lengthen|extend|increas|decreas)\\w*|turn(?:ed)? (?:\\w+ )?(?:on|off)',
  '(?:cambi|modific|ajust|configur|desactiv|activ|ampli|aument|reduc)\\w*',
  '\\w*(?:andern|andert|umstellen|anpassen|einstellen|konfigurieren|abschalten|ausschalten|einschalten|erhohen|verlangern|verkurzen|deaktivieren|aktivieren)|andere (?:ich|wir|man)',
);
const changeTold = anyOf(
  'settings?|options?|chang(?:es|ed)|set',
  'ajustes?|opcion(?:es)?|cambi(?:a|e|an|en)',
  'einstellung(?:en)?|option(?:en)?|andert|andern',
);
const settingName = /(?<![\w./])[a-z]\w*(?:\.[a-z]\w*)+(?![\w/])/g;
/** A name such as `max_pages` is that of a setting in a table; elsewhere it may be a code or a function. */
const settingRow = /^\|.*(?<![\w./])[a-z]+_[a-z]\w*(?![\w/])/;

/** Whether a message asks how something can be changed, and says no more: what of is in what was said before. */
export function asksForChange(message: string): boolean {
  return changeAsked.test(plain(message));
}

export function tellsChange(text: string): boolean {
  return changeTold.test(plain(text)) || namesSetting(text);
}

/** Whether a text has a name such as `server.port`, or is the row of a table for one such as `max_pages`. */
export function namesSetting(text: string): boolean {
  return settingsIn(text).length > 0 || settingRow.test(text);
}

/** The names such as `server.port` in a text. */
export function settingsIn(text: string): readonly string[] {
  return text.match(settingName) ?? [];
}

export function kindOf(question: string): AnswerKind | undefined {
  const text = plain(question);
  return answerKinds.find((kind) => askedBy[kind].test(text));
}

/** Whether answers of a kind are surely told by a number, a unit or a word such as "always". */
export function isMeasure(kind: AnswerKind | undefined): boolean {
  return kind === 'number' || kind === 'duration' || kind === 'frequency';
}

/** Whether a text holds what a question of this kind wants, beside what the question says itself. */
export function holdsKind(kind: AnswerKind, unit: string, question: string): boolean {
  const text = unit.replace(listMark, '');
  if (kind === 'list') return lists(text);
  if (kind === 'person' || kind === 'place') {
    return namesIn(text).some((name) => !question.includes(name));
  }
  if (kind === 'meaning') return defines(text, question);
  const further = numbersIn(text).some((number) => !question.includes(number));
  if (kind === 'number' && further) return true;
  if (kind === 'time' && /\b\d{4}\b|\d:\d\d/.test(text) && further) return true;
  return toldBy[kind].test(plain(text)) || (kind === 'way' && step.test(unit));
}

/** What a sentence holds that answers are told by, whatever is asked: a bit for each kind, and two numbers up to 3. */
export function kindSignsOf(sentence: string): number {
  const text = sentence.replace(listMark, '');
  const folded = plain(text);
  let signs = 0;
  for (const [index, kind] of answerKinds.entries()) {
    if (showsKind(kind, text, folded)) signs |= 1 << index;
  }
  const names = Math.min(mostCounted, namesIn(text).length);
  const numbers = Math.min(mostCounted, numbersIn(text).length);
  return signs | (names << answerKinds.length) | (numbers << (answerKinds.length + 2));
}

/** The signs that a text may have at most, as bits. */
export const kindSignBits = answerKinds.length + 4;
/** Names or numbers of a sentence that are counted. */
const mostCounted = 3;

/** As `holdsKind`, of a sentence with those signs that has so many names and numbers of the question. */
export function signsHoldKind(
  signs: number,
  kind: AnswerKind,
  asked: { names: number; numbers: number },
): boolean {
  const names = (signs >> answerKinds.length) & mostCounted;
  const numbers = (signs >> (answerKinds.length + 2)) & mostCounted;
  if (kind === 'person' || kind === 'place') return names > Math.min(asked.names, mostCounted - 1);
  const further = numbers > Math.min(asked.numbers, mostCounted - 1);
  if (kind === 'number' && further) return true;
  return (signs & (1 << answerKinds.indexOf(kind))) !== 0;
}

function showsKind(kind: AnswerKind, text: string, folded: string): boolean {
  if (kind === 'person' || kind === 'place') return false;
  if (kind === 'list') return lists(text);
  if (kind === 'meaning') return copula.test(folded);
  if (kind === 'time' && /\b\d{4}\b|\d:\d\d/.test(text)) return true;
  return toldBy[kind].test(folded) || (kind === 'way' && step.test(text));
}

/** Whether a text names several things side by side: "user, backoffice and admin". */
function lists(text: string): boolean {
  return /\p{L}, .{1,60}\s(?:and|or|y|e|o|und|oder|sowie)\s/u.test(text);
}

/** What a sentence says of its subject when it says what that is. */
const copula =
  /\s(?:(?:is|are|was|were) (?:an?|the|one of)|means?|refers? to|describes?|(?:es|son|era|fue) (?:una?|el|la|los|las)|significa|consiste en|(?:ist|sind|war|waren) (?:eine?|der|die|das)|bedeutet|bezeichnet|heisst|beschreibt)\s/;
/** Words that may stand between the beginning of a definition and the end of what it defines. */
const longestSubject = 8;

/** Whether a sentence begins with what the question asks about and says what it is: "Heron is a …". */
function defines(text: string, question: string): boolean {
  const sentence = plain(text);
  const end = copula.exec(sentence)?.index;
  if (end === undefined) return false;
  const subject = sentence.slice(0, end).match(/[\p{L}\p{N}-]+/gu) ?? [];
  if (subject.length > longestSubject) return false;
  const asked = plain(question).match(/[\p{L}\p{N}]{3,}|\p{N}+/gu) ?? [];
  // The thing itself ends a question such as "What is debmake?".
  const thing = asked.at(-1);
  return (
    thing !== undefined &&
    subject.some((word) => word.startsWith(thing.slice(0, Math.max(3, thing.length - 2))))
  );
}

function plain(text: string): string {
  return foldAccents(text.toLowerCase()).replaceAll('ß', 'ss');
}

function anyOf(...patterns: string[]): RegExp {
  return new RegExp(`\\b(?:${patterns.join('|')})\\b`);
}

function numbersIn(text: string): string[] {
  return text.match(/\d+(?:[.,]\d+)*/g) ?? [];
}

/** Words with a capital that begin no sentence. In German, where nouns have one, this tells less, but something. */
function namesIn(text: string): string[] {
  return text.match(/(?<=[\p{L}\p{N},;)] )\p{Lu}[\p{L}\p{N}]+/gu) ?? [];
}
