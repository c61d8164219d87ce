// What a text says to a reader: without marks that nobody sees, names in one form, cut between characters.

/** Zero-width and direction marks, soft hyphens, byte order marks, signs of text codes that no printer shows. */
const MARKS = /[\u00AD\u061C\u200B\u200C\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB]|\u034F|\u180E|[\uFE00-\uFE0D]/g;
/** Joins signs of one picture (👨‍👩‍👧); anywhere else it is a mark. */
const JOINER = /(?<!\p{Extended_Pictographic}|\uFE0F|\p{Emoji_Modifier})\u200D|\u200D(?!\p{Extended_Pictographic})/gu;
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u0008\u000E-\u001F\u007F-\u009F]/g;

/** The text without what nobody sees. */
export const withoutMarks = (text: string): string => text.replace(MARKS, '').replace(JOINER, '').replace(CONTROLS, '');

/** Dots that are typed between the parts of a name (买买提·艾力): one of them stands for all. */
const DOTS =
  /[\u0387\u2022\u2027\u2218\u2219\u22C5\u25CF\u25E6\u2E31\u2E33\u30FB\uFF0E\uFF65]|(?<=\p{Script=Han}) *\. *(?=\p{Script=Han})/gu;
const FULL_WIDTH = /[\uFF10-\uFF19\uFF21-\uFF3A\uFF41-\uFF5A]/g;
const HAN_BLANK = /(?<=\p{Script=Han}) +(?=\p{Script=Han})| *(?=·)|(?<=·) */gu;

/**
 * The one form of a person's name, wherever it is typed, imported, searched or compared: composed, without marks, one middle dot, one blank
 * between the words of a foreign name and none in a Chinese one.
 */
export const nameForm = (text: string): string =>
  withoutMarks(text.normalize('NFC'))
    .replace(FULL_WIDTH, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replace(/[\s\u3000]+/g, ' ')
    .replace(DOTS, '·')
    .replace(/·{2,}/g, '·')
    .replace(HAN_BLANK, '')
    .trim();

const segmenter = new Intl.Segmenter('zh', { granularity: 'grapheme' });
/** Whether every code unit is a character: nearly every text. */
const PLAIN = /^[\u0020-\u02FF\u2010-\u2027\u3000-\u3029\u3400-\u9FFF\uFF01-\uFF5E]*$/;

/** Characters as somebody counts them: 𠮷 is one, and so is a letter with its accent. */
export const characters = (text: string): string[] =>
  PLAIN.test(text) ? text.split('') : Array.from(segmenter.segment(text), ({ segment }) => segment);

/** The first characters of a text. */
export const firstCharacters = (text: string, count: number): string =>
  text.length <= count ? text : characters(text).slice(0, count).join('');
/** A mobile number of mainland China, in the form in which it is kept. */
export const MOBILE = /^1[3-9]\d{9}$/;
/** A mobile number as it is kept: eleven digits, however it was pasted (`+86 138-1234-5678`, with marks that nobody sees). */
export const mobileForm = (text: string): string =>
  withoutMarks(text)
    .replace(/[\uFF10-\uFF19\uFF0B]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replace(/[\s\u2010-\u2015\u2212-]/g, '')
    .replace(/^(?:\+|00)?86(?=1\d{10}$)/, '');
