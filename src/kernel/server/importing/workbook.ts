import { refuse } from '../../contract/errors.ts';
import { fileErrors } from '../../contract/fileErrors.ts';
import { BadZip, unzipEntry, zipEntries, type ZipEntry } from '../documents/zipRead.ts';
import { lookOf, type NumberLook } from './sheetNumbers.ts';
import { attributeOf, plainXml, xmlElements } from './xmlElements.ts';

/** Bytes of a part that is read in one piece: names of sheets, styles. */
const MOST_BYTES = 20 * 1024 * 1024;
/** Signs of all texts of a workbook together. */
const MOST_TEXT = 200 * 1024 * 1024;

export interface Sheet {
  name: string;
  hidden: boolean;
  entry: ZipEntry;
}

/** An opened workbook; its rows are read sheet by sheet. */
export interface Workbook {
  bytes: Buffer;
  /** In their order; sheets of charts hold no rows. */
  sheets: readonly Sheet[];
  /** Texts that cells refer to by number. */
  strings: readonly string[];
  /** How the numbers of each style look. */
  looks: readonly NumberLook[];
  from1904: boolean;
}

/** Excel writes signs that XML cannot carry as `_x000D_`. */
const escaped = (text: string): string =>
  text.includes('_x')
    ? text.replaceAll(/_x([0-9a-f]{4})_/gi, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text;

const PHONETIC = /<(?:\w+:)?rPh[\s>][\s\S]*?<\/(?:\w+:)?rPh>/g;
const TEXT = /<(?:\w+:)?t(?:\s[^>]*)?>([\s\S]*?)<\/(?:\w+:)?t>/g;

/** Text of an element that holds one piece of it or several of different looks; how Japanese names are read is left out. */
export function textIn(xml: string): string {
  const plain = xml.includes('rPh') ? xml.replaceAll(PHONETIC, '') : xml;
  let text = '';
  for (const [, part = ''] of plain.matchAll(TEXT)) text += escaped(plainXml(part));
  return text;
}
/** The value of a cell that holds it as a text. */
export const textOfValue = (xml: string): string => escaped(plainXml(xml));

const isOle = (bytes: Buffer) => bytes.subarray(0, 8).toString('hex') === 'd0cf11e0a1b11ae1';

/** The part that a relation leads to. */
function targetIn(relations: string, folder: string, wanted: (tag: string) => boolean): string | null {
  const tag = (relations.match(/<(?:\w+:)?Relationship\s[^>]*>/g) ?? []).find(wanted);
  const target = tag && attributeOf(tag, 'Target');
  if (!target) return null;
  const parts = target.startsWith('/') ? [] : folder.split('/').filter(Boolean);
  for (const part of target.split('/').filter(Boolean)) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return parts.join('/');
}
const ofType = (type: string) => (tag: string) => attributeOf(tag, 'Type')?.endsWith(`/${type}`) ?? false;

function looksIn(styles: string): NumberLook[] {
  const codes = new Map(
    (styles.match(/<(?:\w+:)?numFmt\s[^>]*>/g) ?? []).map((tag) => [Number(attributeOf(tag, 'numFmtId')), attributeOf(tag, 'formatCode')]),
  );
  const formats = /<(?:\w+:)?cellXfs[\s>][\s\S]*?<\/(?:\w+:)?cellXfs>/.exec(styles)?.[0] ?? '';
  return (formats.match(/<(?:\w+:)?xf\s[^>]*>/g) ?? []).map((tag) => {
    const id = Number(attributeOf(tag, 'numFmtId') ?? 0);
    return lookOf(id, codes.get(id));
  });
}

async function stringsIn(bytes: Buffer, entry: ZipEntry | undefined): Promise<string[]> {
  const strings: string[] = [];
  if (!entry) return strings;
  let signs = 0;
  for await (const { xml } of xmlElements(bytes, entry, 'sst', ['si'])) {
    const text = textIn(xml);
    if ((signs += text.length) > MOST_TEXT) throw new BadZip('too large');
    strings.push(text);
  }
  return strings;
}

async function opened(bytes: Buffer): Promise<Workbook> {
  const entries = new Map(zipEntries(bytes).map((entry) => [entry.name, entry]));
  const part = async (name: string | null): Promise<string | null> => {
    const entry = name === null ? undefined : entries.get(name);
    return entry ? (await unzipEntry(bytes, entry, MOST_BYTES)).toString() : null;
  };
  const book = targetIn((await part('_rels/.rels')) ?? '', '', ofType('officeDocument')) ?? 'xl/workbook.xml';
  const folder = book.split('/').slice(0, -1).join('/');
  const xml = await part(book);
  if (xml === null) throw new BadZip('no workbook');
  const relations =
    (await part(`${folder === '' ? '' : `${folder}/`}_rels/${book.slice(folder === '' ? 0 : folder.length + 1)}.rels`)) ?? '';
  const styles = await part(targetIn(relations, folder, ofType('styles')));
  const sheets = (xml.match(/<(?:\w+:)?sheet\s[^>]*>/g) ?? []).flatMap((tag): Sheet[] => {
    const id = /\s\w+:id=["']([^"']+)["']/.exec(tag)?.[1];
    const target = targetIn(relations, folder, (relation) => attributeOf(relation, 'Id') === id && ofType('worksheet')(relation));
    const entry = target === null ? undefined : entries.get(target);
    return entry ? [{ name: attributeOf(tag, 'name') ?? '', hidden: /hidden/i.test(attributeOf(tag, 'state') ?? ''), entry }] : [];
  });
  if (sheets.length === 0) throw new BadZip('no sheets');
  return {
    bytes,
    sheets,
    strings: await stringsIn(bytes, entries.get(targetIn(relations, folder, ofType('sharedStrings')) ?? '')),
    looks: styles === null ? [] : looksIn(styles),
    from1904: /<(?:\w+:)?workbookPr\s[^>]*date1904=["'](?:1|true)["']/.test(xml),
  };
}

/** @throws Refusal SCM02007 where it is protected by a password, or no workbook */
export async function openWorkbook(bytes: Buffer): Promise<Workbook> {
  if (isOle(bytes)) throw refuse(fileErrors.UNREADABLE, { reason: PROTECTED });
  try {
    return await opened(bytes);
  } catch (error) {
    if (error instanceof BadZip) throw refuse(fileErrors.UNREADABLE, { reason: '不是完整的xlsx工作簿，请用Excel打开后另存为.xlsx再上传' });
    throw error;
  }
}
export const PROTECTED = '加密的工作簿，请在Excel中取消“用密码进行加密”后另存再上传';
