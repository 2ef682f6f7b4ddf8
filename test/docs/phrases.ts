/** Phrases that a reader has to read twice, each with the plain way and a line that has it. */

export type Phrase = readonly [RegExp, instead: string, example: string];

/** In everything that people read: comments, documentation, names of tests, and texts in Slack and the terminal. */
export const ofTexts: readonly Phrase[] = [
  [
    /\b(?:whoever|whatever|whomever|whichever|whosever)\b/i,
    'the noun: the requester, any target',
    'They notify whoever asked.',
  ],
  [/\b(?:for|of|to|with|from|by|on|beside) who\b/i, 'the noun: the requester', 'That is for who asked.'],
  [/\b(?:those|he|she) who\b|\bthat which\b/i, 'the noun: requesters', 'The form helps those who approve.'],
  [
    /\b(?:so|as) (?:long|many|much|often)\b(?!\s+(?:as|that)\b)(?! (?:\w+ )?(?:as|that)\b)/i,
    'the thing itself: the lease time, the limit',
    'The lease lasts for so long at most.',
  ],
  [
    /\b(?:is|are|was|were|be|been) (?:not )?(?:told|begun|let|taken for|asked for|said to be)\b/i,
    'subject and verb: the bot notifies',
    'The requester is told so.',
  ],
  [/\b(?:nobody|no one|nobody else) who\b/i, 'no person', 'Nobody who has no key can enter.'],
  [/\b(?:is|are|was|were) none\b/i, 'is missing, absent, no …', 'Undefined when it is none.'],
  [/\bof (?:its|their|his|her|one's) own\b/i, 'own, separate', 'A person has a key of their own.'],
  [/\b(?:any ?more|no more\b(?! than)|any longer)\b/i, 'present tense: the opposite', 'Nothing is open any more.'],
  [
    /\bstands? (?:beside|in|on|behind|at|there|still)\b|\bstood (?:beside|in)\b/i,
    'is in, follows',
    'The note stands beside the row.',
  ],
  [/\bin (?:its|their|his|her) stead\b/i, 'instead', 'The other acts in its stead.'],
  [/\b(?:lets? go|let go|goes on|go on|going on|went on|gone on)\b/i, 'release, continue', 'The work goes on.'],
  [/\blook(?:s|ed|ing)? (?:at|after|for|into|over)\b/i, 'read, check, watch', 'A test looks at the page.'],
  [
    /\bbefore, (?:it|the|each|a|they|one)\b|(?:^|[.] )Before(?:,| it| this) /i,
    'the present',
    'Before, it took a second.',
  ],
];

/** Except in texts: "The disk stays as it is" is plain English there. */
export const unchanged: readonly Phrase[] = [
  [
    /\bas (?:it|they) (?:is|are|was|were|stands?|stood)\b(?! (?:\w+ed|drawn|given|read|said|seen|sent|shown|spelled|typed|written)\b)/i,
    'unchanged, current',
    'The row stays as it is.',
  ],
];

/** In prose alone: a title or a button may ask a question, and an example may have a date. */
export const prose: readonly Phrase[] = [
  [
    /\b(?:for|of|to|with|from|by|on|beside|and|or) (?:what|who) (?!to\b)/i,
    'the noun: open requests, the requester',
    'This depends on what is open.',
  ],
  [
    /(?:^|[.;:|] )(?:What|Who|Whose|Those who) (?![^.|]*\?)/,
    'the noun: open requests, approvers',
    'Open it. What is open has a row.',
  ],
  [/\b(?:shows|lists|sees|reads|names|says|knows) (?:what|who) (?!to\b)/i, 'the noun', 'The list shows what is open.'],
  [/\b(?:used to|until then|at first|formerly|previously)\b/i, 'the present', 'The row used to have a column.'],
  [/\bbugs? of (?:ours|mine)\b/i, 'a bug in the bot', 'This is a bug of ours.'],
  [/\bt(?:ake|akes|aken|aking|ook) (?:\w+ )?back\b/i, 'revert, withdraw', 'The bot takes it back.'],
  [/\bworked? on by hand\b|\b(?:was|were|is) (?:changed|set) by hand\b/i, 'manual', 'It was changed by hand.'],
  [/\b20\d\d-\d\d-\d\d\b(?!T)/, 'no date of a finding', 'A run of 2026-11-23 showed it.'],
  [
    /\b(?:is|are) to be\b|\bthere (?:is|was) (?:nothing|nobody)\b|\bthere are none\b/i,
    'subject and verb',
    'There is nothing to do.',
  ],
];

/** At the beginning of a comment or of the name of a test, where nothing is before the word. */
export const opening: readonly Phrase[] = [
  [/^(?:it|its|they|their|them|he|his|she|her)\b(?!['’])/i, 'the noun', 'It has no name.'],
  [/^(?:those|these|whose|whom|who|what|which|whoever|whatever)\b(?!['’])(?!.*\?)/i, 'the noun', 'Whose name it is.'],
];

export const ofDocs = [...ofTexts, ...unchanged, ...prose];
export const ofTestNames = [...opening, ...ofTexts, ...unchanged];
export const ofComments = [...ofTestNames, ...prose];

/** Each phrase that a text contains, with its place. Code in backquotes and quotations are left out. */
export function phrasesIn(text: string, phrases: readonly Phrase[]): { at: number; words: string; instead: string }[] {
  const plain = text.replace(/`[^`]+`|"[^"]*"/g, (code) => '…'.repeat(code.length));
  return phrases.flatMap(([phrase, instead]) => {
    const found = [...plain.matchAll(new RegExp(phrase, `${phrase.flags}g`))];
    return found.map(({ 0: words, index }) => ({ at: index + words.search(/\S/), words: words.trim(), instead }));
  });
}
