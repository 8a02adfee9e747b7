/** The languages with their own analysis. */
export const spokenLanguages = ['en', 'es', 'de'] as const;
export type Spoken = (typeof spokenLanguages)[number];

/** Text in `other` languages is searched by its plain words. */
export const languages = [...spokenLanguages, 'other'] as const;
export type Language = (typeof languages)[number];

/**
 * The product's knowledge of one language. To add a language, add one file with all of this and a line in packs.ts.
 *
 * White space separates the words of lists. Other texts are parts of patterns, with alternatives separated by `|`.
 * Parts marked "plain" are without accents, in lower case, with ss for ß.
 */
export interface LanguagePack {
  language: Spoken;
  /** The English name of the language, for the model. */
  name: string;
  /** True when all nouns have capitals, so that a capital letter does not mark a name. */
  capitalizesNouns: boolean;
  /** True when words are joined into compounds, so that fewer words say as much. */
  joinsWords: boolean;
  /** True when questions quote English names, so that function words of all languages count as such. */
  quotesEnglish: boolean;
  stem: (word: string) => string;
  /** Other spellings of a word: for people who type no accents, or when its stem differs from that of its forms. */
  respell?: (word: string) => string[];
  /** Endings of a word's forms. Those that change its stem are no forms of it. */
  endings: string;
  /** The verbs of a text whose parts are separated. */
  separatedVerbs?: (text: string) => SeparatedVerb[];
  inflection?: Inflection;
  /** Prefixes that turn a word into its opposite: "uninstall"; plain. */
  opposites: string;
  /** The function words, which identify a language and which searches weigh less. */
  functionWords: string;
  /** Words of greeting, thanks and requests for help: they identify a language, but searches do not weigh them less. */
  courtesies: string;
  signs: LanguageSigns;
  sentences: {
    /** A dot after these never ends a sentence. In lower case, without the last dot. */
    abbreviations: string;
    /** A dot after these ends no sentence before a number: "Fig. 3", but "The answer is no. Then …". */
    beforeNumbers: string;
    /** The end of a text whose number with a dot is an ordinal: "am 3. Oktober". */
    ordinal?: RegExp;
  };
  negation: {
    words: string;
    /** Phrases that look like a negation and mean "also": "not only … but also". */
    notOnly: string;
    /** Words that divide a sentence: a negation on one side does not apply to the other. */
    turns: string;
  };
  /** Words before the last item of a list, and before a second question. */
  conjunctions: { listing: string; adding: string };
  /** With accents. */
  questionWords: string;
  /** How a question requests each kind of answer; plain. */
  asked: Record<AnswerKind, string>;
  /** How answers of a kind can be recognized; plain. */
  told: Record<ToldKind, string>;
  /** Patterns for a question how to change something, and for its answer, a setting; plain. */
  change: { asked: string; told: string };
  /** Verbs that "Which files can I upload?" uses, and verbs with which texts permit it. */
  permitted: { asked: string; told: string };
  /** Verbs for removing something, and verbs for creating it. */
  contrary: { taking: string; making: string };
  /** Words that ask for a measure (plain), and values that answer without naming the measure. */
  measures: Record<'most' | 'least', Bound> &
    Record<'size' | 'length' | 'weight' | 'price', { asked: string; units: string }> & {
      free: string;
      lengths: string;
      times: string;
    };
  numbers: {
    words: string;
    /** Those with which headings count their things: "The three roles". */
    ofHeadings: string;
    /** The endings of ordinals and decades: 19th, 10.ª, 1970er. */
    endings: string;
    /** Words before a decade without its century: "los años 80". */
    beforeDecades: string;
  };
  /** Words of a message that refer to the page it is asked on. With accents. */
  ofPage: string;
  /** Beginnings of sentences that refer to the sentence before them. With accents. */
  ofSentenceBefore: string;
  /** Words before the number of a caption: "Figure 3". */
  captions: string;
  /** How messages continue a conversation; plain. */
  followUps: {
    /** Words that ask for an aspect and name no subject: how long it takes, what it costs, what it means. */
    aspects: string;
    /** Words for the subject of a whole text, and the determiners with which they mean only that subject. */
    subjects: string;
    beforeSubjects: string;
    beginnings: string;
    /** Pronouns for something mentioned before. */
    pronouns: RegExp[];
    /** Pronouns that are recognized by their capital letter, or by its absence. */
    pronounsAsTyped?: RegExp;
    /** References by position: "the last one". */
    articles: string;
    places: string;
  };
  /**
   * Small talk, one phrase per line: `a/b` is one of the two, `-` means nothing, `_` is a space. `address` has no
   * meaning alone and may accompany every phrase; a name may follow `naming`.
   */
  smallTalk: Record<Exclude<SmallTalkKind, 'nothing'> | 'address' | 'naming', string>;
  phrases: Phrases;
}

/** The signs of a language: its function words, and the letters and endings of its words. */
export interface LanguageSigns {
  /** Tested on each word in lower case. `strong`: rare in other languages. `weak`: frequent in this one. */
  strong: RegExp;
  weak: RegExp;
  /** Punctuation that no other language uses. */
  punctuation?: RegExp;
}

/** A verb with a separated prefix, in lower case, and its joined forms. */
export interface SeparatedVerb {
  verb: string;
  prefix: string;
  /** The forms in texts: hochlade, hochladen, hochzuladen, hochgeladen. */
  joined: string[];
}

/** Inflection that the stemmer does not connect. */
export interface Inflection {
  /** The prefixes and endings that are removed to find a word's root. */
  prefix: RegExp;
  ending: RegExp;
  /** The fewest letters of a root. */
  shortestRoot: number;
  /** The prefixes that a root may have instead. */
  prefixes: readonly string[];
  endings: readonly string[];
  /** The continuation of compounds with a noun of the root: Öffn-ung-szeiten. */
  joined: string | undefined;
}

/** The kind of answer that a question wants: sentences of that kind are likelier. The first match decides. */
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
/** The other kinds are recognized by names, and lists by their form. */
type ToldKind = Exclude<AnswerKind, 'list' | 'person' | 'place'>;

/** Messages that ask nothing of the knowledge. */
export type SmallTalkKind = 'greeting' | 'thanks' | 'leave' | 'about' | 'assent' | 'nothing';

interface Bound {
  asked: string;
  /** Matches alone or before a number ("up to date" is no bound). */
  told: string;
  beforeNumbers: string;
}

/** The assistant's own sentences. */
export interface Phrases {
  notFound: string;
  /** Replies to small talk: greetings, what the assistant is and does, and how to continue. */
  hello: string;
  welcome: string;
  goodbye: string;
  automated: string;
  answers: string;
  /** To yes, no and similar words. */
  fine: string;
  /** Nothing was found for `{asked}`: a single name, or one of several questions. */
  nothingOn: string;
  wholeQuestion: string;
  first: string;
  further: string;
  /** The model failed before its first word, or in the middle. These sentences give no details of the server. */
  noAnswer: string;
  brokeOff: string;
  /** Replaces an old answer whose sources its reader may no longer see. */
  withheld: string;
}
