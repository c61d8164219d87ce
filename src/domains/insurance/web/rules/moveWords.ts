import { partsOfKey, type AccumulatorKind } from '../../contract/adjudication/keys.ts';

const WORDS: Readonly<Record<AccumulatorKind, string>> = {
  DED: '免赔额已扣',
  GRP: '限额已用',
  PAY: '已赔金额',
  LAD: '比例分段累计',
  CNT: '赔付次数',
  ITEM: '单药已赔',
  SUM: '保额已用',
};

/** What an account of a claim counts, in words: `DED:41:D1@2026-01-01` of a version whose group D1 has a name. */
export function moveWords(account: string, nameOf: (code: string) => string): string {
  const parts = partsOfKey(account);
  if (parts === null) return account;
  const [code = '', medicine] = parts.codes;
  return `${nameOf(code)} ${WORDS[parts.kind]}${medicine === undefined ? '' : `（${nameOf(medicine)}）`}`;
}
