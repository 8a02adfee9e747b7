/**
 * Property names that the widget's scripts shorten: compression can't shrink names that occur once or twice. List only
 * names that nothing outside these scripts uses: none of the browser, of the service's documents or of the page's
 * options, and none that is looked up by a text. Some in the last line also exist in browsers, but not on objects that
 * the widget uses. Add new names at the end, and never move or remove one: a page with an older first script may load
 * newer parts.
 */
const names = `
  carrier setMessage emit texts newConversation loadHistory loadPages keepVisitor isCancelled answerKey
  setVisible waitingFor readPage onStored isOnline openConversation reply askPerson openChannel suggest proceed recover
  onAnswered onOpen isElsewhere isSignedIn signedIn onClose isAwake copyLabel createdAt onReached onNetwork onNeeded
  isBusy newest notice isAnswer isKnown textsOf onGone cited forget hear
  markNotificationRead loadRequestAnswers deleteConversation signOut readConversations listConversations readConversation
  keepConversation openBrowserHost fillSmallScreen loadHostTheme findQuestion readMessages createPanel
  onOtherTab byRequests fillPerson answerHelp openSocket greet nameTexts updatedAt nextFrame learnOnce isPainted mergeInto
  interrupt onMessage onRefused converse onAccent tellRead tryAgain markRead replyOf onEmpty catchUp onState onFrame
  giveUp refuse ground reveal onTold onRead unsent toEnd lose idOf asIs
  ServiceError answerText noticeOf timeText waitText nameButton setText citation
  unconfirmed signInWrong rateLimited whatWrong askPersonEmail emailWrong deleteThis signedInAs notHelpful copyAnswer
  helpful thanks quoted
  isNewHere forgetEarlier hasEarlier continueEarlier settleEarlier selectedNow
  state node session restoring connection update spoken home leave store popup opener latest
`;

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

export const shortNames: Readonly<Record<string, string>> = Object.fromEntries(
  names
    .trim()
    .split(/\s+/)
    .map((name, at) => [name, shortName(at)]),
);

/** One letter, then two with a capital first letter: no name in the sources has that form. */
function shortName(at: number): string {
  const last = letters.charAt(at % letters.length);
  return at < letters.length ? last : letters.charAt(25 + at / letters.length) + last;
}
