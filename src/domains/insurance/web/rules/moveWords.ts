const WORDS: Readonly<Record<string, string>> = {
  DED: '免赔额已扣',
  GRP: '限额已用',
  PAY: '已赔金额',
  LAD: '比例分段累计',
  CNT: '赔付次数',
  ITEM: '单药已赔',
  SUM: '保额已用',
};

/** What an account of a claim counts, in words: `DED:D1@2026-01-01` of a version whose group D1 has a name. */
export function moveWords(key: string, nameOf: (code: string) => string): string {
  const [kind = '', code = '', medicine] = (key.split('@')[0] ?? '').split(':');
  return `${nameOf(code)} ${WORDS[kind] ?? kind}${medicine === undefined ? '' : `（${nameOf(medicine)}）`}`;
}
