import { BadZip, unzipEntry, zipEntries } from '../documents/zipRead.ts';

const MAX_XML = 200 * 1024 * 1024;

const attribute = (xml: string, name: string) => new RegExp(`\\s(?:\\w+:)?${name}="([^"]*)"`).exec(xml)?.[1];

/** Name of the part that holds the first sheet. */
async function firstSheet(bytes: Buffer): Promise<string> {
  const entries = zipEntries(bytes);
  const read = async (name: string) => {
    const entry = entries.find((candidate) => candidate.name === name);
    if (!entry) throw new BadZip(`no ${name}`);
    return (await unzipEntry(bytes, entry, MAX_XML)).toString();
  };
  const sheet = /<(?:\w+:)?sheet\s[^>]*>/.exec(await read('xl/workbook.xml'))?.[0] ?? '';
  const relation = attribute(sheet, 'id') ?? '';
  const relations = (await read('xl/_rels/workbook.xml.rels')).match(/<(?:\w+:)?Relationship\s[^>]*>/g) ?? [];
  const target = attribute(relations.find((candidate) => attribute(candidate, 'Id') === relation) ?? '', 'Target') ?? '';
  return target.startsWith('/') ? target.slice(1) : `xl/${target}`;
}

/** The first cell with a formula, or range of merged cells, of the first sheet; null when there is none. */
export async function formulaOrMergedCell(bytes: Buffer): Promise<string | null> {
  const name = await firstSheet(bytes);
  const entry = zipEntries(bytes).find((candidate) => candidate.name === name);
  if (!entry) throw new BadZip('no sheet');
  const xml = (await unzipEntry(bytes, entry, MAX_XML)).toString('latin1');
  const formula = /<(?:\w+:)?f[\s>/]/.exec(xml);
  if (formula) {
    const cell = xml.lastIndexOf(`r="`, formula.index);
    return /^r="([A-Z]+\d+)"/.exec(xml.slice(cell, cell + 20))?.[1] ?? '未知单元格';
  }
  const merged = /<(?:\w+:)?mergeCell\s[^>]*ref="([^"]+)"/.exec(xml);
  return merged?.[1] ?? null;
}
