import { stemmer } from '@orama/stemmers/english';
import { allMatches } from '../platform/text/all-matches.js';
import type { LanguagePack } from './language-pack.js';

/** Phrasal verbs such as "back up my data" and "back it up": as nouns, texts write them as one word. */
const phrasalVerb =
  /(?<!\p{L})(\p{L}{3,})\s(?:(?:my|the|your|our|all|this|an?|it|them)\s(?:\p{L}+\s){0,2}?)?(up|in|out|down|off|back)(?!\p{L})/gu;

export const english: LanguagePack = {
  language: 'en',
  name: 'English',
  capitalizesNouns: false,
  joinsWords: false,
  quotesEnglish: false,
  stem: stemmer,
  // The stem of a short word such as "add" differs from that of "adding".
  respell: (word) => {
    const [, short] = /^([aeiou]([^aeiou])\2)(?:s|ed|ing)?$/.exec(word) ?? [];
    return short === undefined ? [] : [short, `${short}ing`];
  },
  endings: 's es ed d ing ings e er ers y ies ied ly ment ments',
  separatedVerbs: (text) =>
    allMatches(text.toLowerCase(), phrasalVerb).map(([, verb = '', prefix = '']) => ({
      verb,
      prefix,
      joined: [verb + prefix],
    })),
  opposites: 'un|dis|de(?=[aeiou])',
  functionWords: `
    a about above after again against all also although always am among an and any are aren as at
    be became because become been before being below between both but by came can cannot come could did didn
    do does doesn doing don done down during each either else ever every few first following for from further
    get given had has hasn have haven having he her here hers herself him himself his how however i if in
    instead into is isn it its itself just know like many may me might more most much must my myself name
    need neither no nor not now of off often on once one only or other our ours out over own per please
    same several shall she should since so some still such than that the their theirs them themselves then
    there these they this those through thus to too two under until up upon us use used using very via was
    wasn we were weren what whatever when where whether which while who whom whose why will with within
    without won would yes yet you your yours yourself
  `,
  courtesies: `
    hello hey good morning afternoon evening thanks thank bye goodbye help
  `,
  signs: {
    strong:
      /(?:ing|ings|ght|ough|ness|ship|ships|tional|fully|ously|ally|sh|ck|cks|ed|wn|ew|ople|ould|ways)$|^(?:wh|kn|wr|th)|ough|[aeo]w|sh|oo|ea|tch|th/,
    weak: /(?:tion|tions|ment|ments|ly|ies|ty|ry|ous|ble|ive|ance|ence|ure|al|ck|est|y|s|er|le)$|ou|ee|ck|ch|ph|y|qu|w/,
  },
  sentences: {
    abbreviations: `ca cf dr e.g i.e max mr mrs ms prof resp st vs`,
    beforeNumbers: `approx art chap ed eq fig figs min no p par pp ref sec sect tab tel v ver vers vol vols`,
  },
  negation: {
    words: String.raw`no(?!\.?\s*\d)|not|never|without|cannot|none|nothing|nobody|neither|nor|hardly|(?:\p{L}+n't)`,
    notOnly: 'not (?:only|just|merely)',
    turns: 'but',
  },
  conjunctions: { listing: 'and|or', adding: 'and' },
  questionWords: 'how|what|which|who|whom|whose|when|where|why',
  asked: {
    list: '(?:what|which) (?!time|year)(?:[\\w-]+ ){1,3}(?:are there|exist|are (?:available|possible|supported)|(?:can|may) (?:i|we|you|one)\\b)',
    frequency: 'how (?:often|frequently)|how many times',
    duration: 'how long(?! (?:is|are|was|were) the| (?:can|may|must|shall|should) .{1,40} be\\b)',
    number: [
      'how (?:many|much|long|old|far|large|big|tall|high|deep|fast|wide|heavy)',
      '(?:what|which) (?:percentage|percent|number|amount|size|share|proportion|population)',
    ].join('|'),
    // After another question word it does not ask for a time: "What happens when …".
    time: 'when(?<!\\b(?:what|which|who|whom|whose|how|why|where)\\b.*when)|(?:what|which) (?:year|date|day|month|century|decade|time)',
    reason: 'why',
    person: 'who|whom|whose',
    place: 'where',
    way: 'how (?:do|can|could|should|may|must|to)|how does one|what (?:can|should|must|do) (?:i|we|you|one) do',
    meaning:
      'what (?:is|are) (?!the )|what (?:is|are) the \\w+(?: \\w+)?(?=\\W*$)|what does .{1,60} mean|what is meant|what do(?:es)? (?:(?:an?|the) )?[\\w-]+ do(?=\\W*$)',
  },
  told: {
    frequency:
      'once|twice|times|daily|hourly|weekly|monthly|yearly|annually|always|never|rarely|seldom|sometimes|often|regularly|every|each',
    duration:
      '(?:second|minute|hour|day|night|week|month|year|decade)s?|centur(?:y|ies)|until|since|always|forever|(?:in|from) \\d{4}',
    number:
      'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|hundred|thousand|half|third|twice|none|unlimited|free of charge|for free|any number|as (?:many|much)',
    time: [
      'january|february|march|april|june|july|august|september|october|november|december|(?:mon|tues|wednes|thurs|fri|satur|sun)day',
      '(?:century|decade|year|month|week|day|night|hour|minute)s?|centuries',
    ].join('|'),
    reason:
      'because|since|due to|so that|therefore|thus|in order to|as a result|reasons?|causes?|caused',
    way: 'press|click|open|run|enter|choose|select|type|set|use|add|install|command',
    meaning: '(?:is|are|was|were) (?:an?|the|one of)|means?|refers? to|describes?',
  },
  change: {
    asked:
      '(?:chang|rais|adjust|configur|modif|customi[sz]|disabl|enabl|shorten|lengthen|extend|increas|decreas)\\w*|turn(?:ed)? (?:\\w+ )?(?:on|off)',
    told: 'settings?|options?|chang(?:es|ed)|set',
  },
  permitted: {
    asked: 'upload send submit add import attach use pay bring enter',
    told: 'accepted allowed permitted supported admitted',
  },
  contrary: { taking: 'delete remove erase', making: 'create add' },
  measures: {
    most: {
      asked: 'max|maxim\\p{L}*|limit\\p{L}*|biggest|largest|longest|highest|greatest',
      told: 'at (?:the )?most|(?:no|not) (?:more|larger|longer|bigger|higher) than|(?:not|never) exceed|max(?:imum|imal|_\\w+)?',
      beforeNumbers: 'up to',
    },
    least: {
      asked: 'min|minim\\p{L}*|smallest|shortest|lowest',
      told: 'at (?:the )?least|(?:no|not) (?:less|fewer|shorter|smaller) than|min(?:imum|_\\w+)?',
      beforeNumbers: 'from',
    },
    size: { asked: 'sizes?|large|big', units: 'bytes?|pixels?|acres?|lit(?:er|re)s?' },
    length: { asked: 'lengths?|long', units: 'characters?|letters|words|pages' },
    weight: { asked: 'weights?|weighs?', units: 'kilo(?:gram)?s?|grams?|tonn?es?|pounds?' },
    price: { asked: 'prices?|costs?', units: 'dollars?|pounds?|francs?|crowns?|cents?' },
    free: 'free of charge',
    lengths: 'met(?:er|re)s?|kilomet(?:er|re)s?|inch(?:es)?|feet|miles?',
    times: 'seconds?|minutes?|hours?|days?|weeks?|months?|years?',
  },
  numbers: {
    words: 'one|two|three|four|five|six|seven|eight|nine|ten|twelve|hundred|thousand',
    ofHeadings: 'two|three|four|five|six|seven',
    endings: 'st|nd|rd|th|s',
    beforeDecades: 'the',
  },
  ofPage: 'this|these|here',
  ofSentenceBefore:
    'it|its|they|their|them|this|these|that|those|he|she|his|her|such|then|there|thus|therefore|however|also|so (?:does|do|is|are|can|will|has|have)|neither|nor|both|the same|instead|otherwise|likewise',
  captions: 'figure|fig\\.|table|listing',
  followUps: {
    aspects: `
      long take takes took last lasts cost costs work works mean means happen happens need needs often
      change changes changed adjust configure modify set turn disable enable off
      raise increase lower reduce extend limit value fix mend solve resolve avoid prevent
      valid validity
      see find get look
      explain tell show difference differences differ example examples detail details exactly please thanks thank ok okay yes right about
    `,
    subjects: 'product|software|program|programme',
    beforeSubjects: 'the|this|your',
    beginnings: 'and|but|or|so|also|then|what about|how about',
    pronouns: [
      /\b(?:it|its|this|these|those|they|them|their|he|him|she|ones?|(?<!(?:is|are|was|were) )there|the same)\b/,
      /\bthat\b(?=\s*(?:[?.!,]|$|\w+\s*[?.!]|(?:on|in|for|with|to|take|mean|work|happen|cost|be)\b))/,
    ],
    articles: 'the',
    places: String.raw`(?:first|second|third|fourth|last|latter|former|other)(?:\sones?)?`,
  },
  smallTalk: {
    address: `
      there/all/everyone/everybody/team/assistant/bot/chatbot/friend/friends/sir/madam/mate/dear/world
      again/please/today/oh/ah/well/so/and/then/now/for_now/just
    `,
    naming: `
      mr/mrs/ms/dr
      my_name_is/im/i_am/this_is
    `,
    greeting: `
      hi/hello/hey/heya/hiya/howdy/hullo/greetings/yo
      good morning/afternoon/evening/day
      morning/gm
      how_are/how_r you/u -/doing -/today
      hows_it_going/whats_up/sup/nice_to_meet_you/pleased_to_meet_you
      anyone/anybody/is_anyone/is_anybody/are_you there
    `,
    thanks: `
      thanks/thank_you/thankyou/thx/thnx/tnx/tks/ty/tysm/cheers -/so_much/very_much/a_lot/a_bunch
      many_thanks/thanks_again/much_appreciated/i_appreciate_it
      thanks/thank_you/thx for -/the/your/all_your help/answer/answers/info/information/support/time
      great/perfect/awesome/excellent/cool/nice/wonderful/brilliant/amazing
      good/great/nice job/work/answer
      very good/nice/helpful
      well_done/got_it/i_see/understood/all_good/sounds_good
      that helped/was_helpful/was_very_helpful/was_great/is_all
      no thanks/thank_you
    `,
    assent: `
      yes/yeah/yep/yup/yea/no/nope/nah/sure/maybe/perhaps/alright/all_right/hm/hmm/ok/okay/okey/fine
      of_course/not_really/i_dont_know/no_idea/nothing/never_mind/nevermind/yes_please
    `,
    leave: `
      bye/bye_bye/goodbye/good_bye/cya/farewell/good_night/take_care
      see_you/see_ya -/later/soon/tomorrow/around
      talk_to_you -/later/soon
      have_a nice/good/great/lovely day/evening/weekend/one
    `,
    about: `
      help/help_me/i_need_help/i_need_some_help/i_need_your_help
      who/what are you
      whats_your/what_is_your name
      introduce_yourself/tell_me_about_yourself/what_are_you_for/how_do_you_work
      are_you a/an bot/robot/human/person/real_person/machine/ai
      am_i_talking_to a/an bot/robot/human/person/real_person/machine/ai
      what_can/what_could/what_else_can/what_all_can you do -/for_me/for_us/here
      what_do_you do/know
      what_are_you able_to_do/capable_of
      how/what can/could/may you help -/me/us -/with/today
      can/could/would you help -/me/us
      can_you help_me_with something/a_question
      what_can/what_could/what_may i ask -/you -/about/here
      what -/kind_of/sort_of/types_of questions can_i_ask/can_you_answer -/you
      can/could/may i ask -/you something/a_question/some_questions/a_few_questions
      i have -/got a -/quick/short question
      i have -/some questions
    `,
  },
  phrases: {
    notFound: 'I found no answer to this. Try other words, or ask a person.',
    hello: 'Hello!',
    welcome: 'You’re welcome!',
    goodbye: 'Goodbye!',
    automated: 'I am an automated assistant.',
    answers: 'I answer from our documents and show you the sources.',
    fine: 'All right.',
    nothingOn: 'I found nothing on “{asked}”.',
    wholeQuestion: 'What would you like to know? A whole question helps me to find the answer.',
    first: 'What would you like to know?',
    further: 'If you have another question, just ask.',
    noAnswer: 'The assistant can’t answer at the moment. Ask again in a while.',
    brokeOff: 'The answer broke off. Ask again.',
    withheld:
      'This answer is no longer shown: the knowledge that it was made of was taken back or is not open to you. Ask again for what is known now.',
  },
};
